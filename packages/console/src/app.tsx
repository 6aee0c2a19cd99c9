// Which page is shown: signing in without a session, otherwise the page of the address.
import { Center, Loader } from '@mantine/core'
import { type ComponentType, lazy, Suspense, useSyncExternalStore } from 'react'
import { KeysPage } from './pages/keys.tsx'
import { LinkPage } from './pages/link.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { type PlaceName, placeOf, usePath } from './places.tsx'
import { useSessionQuery } from './session.ts'
import { ConnectionBar } from './shell/connection-bar.tsx'
import { Shell } from './shell/shell.tsx'
import { BrokenPage } from './shown/broken-page.tsx'
import { Failure } from './shown/failure.tsx'
import { signInLink } from './sign-in-link.ts'
import { useWords } from './words/language.tsx'

/** The first page comes with the console, the others when they are opened. */
const PAGES: Readonly<Record<PlaceName, ComponentType>> = {
  keys: KeysPage,
  webhooks: lazy(async () => ({ default: (await import('./pages/webhooks.tsx')).WebhooksPage })),
  activity: lazy(async () => ({ default: (await import('./pages/activity.tsx')).ActivityPage })),
  explore: lazy(async () => ({ default: (await import('./pages/explore.tsx')).ExplorePage })),
  connect: lazy(async () => ({ default: (await import('./pages/connect.tsx')).ConnectPage })),
  clinic: lazy(async () => ({ default: (await import('./pages/clinic.tsx')).ClinicPage })),
  account: lazy(async () => ({ default: (await import('./pages/account.tsx')).AccountPage })),
}

export function App() {
  return (
    <>
      <ConnectionBar />
      <Shown />
    </>
  )
}

function Shown() {
  const words = useWords()
  const token = useSyncExternalStore(signInLink.subscribe, signInLink.current)
  const session = useSessionQuery()
  const place = placeOf(usePath())
  if (token !== null) return <LinkPage key={token} token={token} />
  if (session.data === undefined) {
    return (
      <Center component="main" mih="100dvh" p="md">
        {session.error ? (
          <Failure error={session.error} onRetry={() => session.refetch()} />
        ) : (
          <Loader role="status" aria-label={words.loading} />
        )}
      </Center>
    )
  }
  if (typeof session.data !== 'object') return <SignInPage isEnded={session.data === 'ended'} />
  const Page = place === null ? NotFoundPage : PAGES[place]
  return (
    <Shell place={place}>
      <BrokenPage key={place}>
        <Suspense fallback={<Loader role="status" aria-label={words.loading} />}>
          <Page />
        </Suspense>
      </BrokenPage>
    </Shell>
  )
}
