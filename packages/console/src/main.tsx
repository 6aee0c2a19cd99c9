// The page's beginning.
import './console.css'
import './mantine.css'
// Before anything else: the token and the outcome of a sign-in leave the address.
import './openid-return.ts'
import './token-links.ts'
import { makeQueryClient } from '@clinic-data/console-parts/requests/query-client'
import { firstWords, LanguageProvider } from '@clinic-data/console-words/language'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { cssVariables, theme } from './theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no root')
const first = await firstWords()
createRoot(root).render(
  <StrictMode>
    <LanguageProvider first={first}>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <QueryClientProvider client={makeQueryClient()}>
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </LanguageProvider>
  </StrictMode>,
)
