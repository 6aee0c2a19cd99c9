// The words of the home page, the integrations and a key's page, in each language. They come with the pages that show them.
import { home as enHome } from './en/home.ts'
import { integrations as enIntegrations } from './en/integrations.ts'
import { keyPage as enKeyPage } from './en/key-page.ts'
import { home as heHome } from './he/home.ts'
import { integrations as heIntegrations } from './he/integrations.ts'
import { keyPage as heKeyPage } from './he/key-page.ts'
import { type Language, useSpeech } from './language.tsx'

interface IntegrationWords {
  readonly home: typeof enHome
  readonly integrations: typeof enIntegrations
  readonly keyPage: typeof enKeyPage
}

const WORDS: Readonly<Record<Language, IntegrationWords>> = {
  en: { home: enHome, integrations: enIntegrations, keyPage: enKeyPage },
  he: { home: heHome, integrations: heIntegrations, keyPage: heKeyPage },
}

export const useIntegrationWords = () => WORDS[useSpeech().language]
