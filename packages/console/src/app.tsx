// Which page is shown: signing in without a session, otherwise the page of the address.

import { approving, confirming, useWaiting } from '@clinic-data/console-parts/requests/waiting'
import { useSessionQuery } from '@clinic-data/console-parts/session'
import { BrokenPage } from '@clinic-data/console-parts/shown/broken-page'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { later } from '@clinic-data/console-parts/shown/later'
import { useWords } from '@clinic-data/console-words/language'
import { Center, Loader } from '@mantine/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { LinkPage } from './pages/link.tsx'
import { NotFoundPage } from './pages/not-found.tsx'
import { SignInPage } from './pages/sign-in.tsx'
import { type LonePlace, lonePlaceOf, type PlaceName, placeOf, usePath } from './places.tsx'
import { ConnectionBar } from './shell/connection-bar.tsx'
import { tokenLink } from './token-links.ts'

/** The pages behind the sign-in are loaded when they are opened. */
const PAGES: Readonly<Record<PlaceName, ReturnType<typeof later>>> = {
  home: later(async () => (await import('./pages/home.tsx')).HomePage),
  clinics: later(async () => (await import('./pages/clinics.tsx')).ClinicsPage),
  integrations: later(async () => (await import('./pages/integrations.tsx')).IntegrationsPage),
  keys: later(async () => (await import('./pages/keys.tsx')).KeysPage),
  connections: later(async () => (await import('./pages/connections.tsx')).ConnectionsPage),
  webhooks: later(async () => (await import('./pages/webhooks.tsx')).WebhooksPage),
  approvals: later(async () => (await import('./pages/approvals.tsx')).ApprovalsPage),
  activity: later(async () => (await import('./pages/activity.tsx')).ActivityPage),
  explore: later(async () => (await import('./pages/explore.tsx')).ExplorePage),
  patients: later(async () => (await import('./patients/patients-page.tsx')).PatientsPage),
  connect: later(async () => (await import('./pages/connect.tsx')).ConnectPage),
  clinic: later(async () => (await import('./pages/clinic.tsx')).ClinicPage),
  people: later(async () => (await import('./pages/people.tsx')).PeoplePage),
  account: later(async () => (await import('./pages/account.tsx')).AccountPage),
}

/** The pages that an app or a device leads to. */
const LONE_PAGES: Readonly<Record<LonePlace, ReturnType<typeof later>>> = {
  authorize: later(async () => (await import('./pages/authorize.tsx')).AuthorizePage),
  device: later(async () => (await import('./pages/device.tsx')).DevicePage),
}

/** It comes before a session, and seldom. */
const InvitationPage = later(async () => (await import('./pages/invitation.tsx')).InvitationPage)

/** Seldom, too. */
const HeldPage = later(async () => (await import('./pages/held.tsx')).HeldPage)

const Shell = later(async () => (await import('./shell/shell.tsx')).Shell)

export function App() {
  return (
    <>
      <ConnectionBar />
      <Shown />
      <Approving />
      <Confirming />
    </>
  )
}

const ConfirmDialog = later(async () => (await import('./account/confirm-dialog.tsx')).ConfirmDialog)

/** Over whatever is shown. Last, so that it is the dialog on top. */
function Confirming() {
  const isConfirming = useWaiting(confirming)
  return (
    isConfirming && (
      <BrokenPage>
        <ConfirmDialog loader={null} />
      </BrokenPage>
    )
  )
}

const WaitDialog = later(async () => (await import('./approvals/wait-dialog.tsx')).WaitDialog)

/** Below the other one: whoever goes on after it may be asked who it is. */
function Approving() {
  const isWaiting = useWaiting(approving)
  return (
    isWaiting && (
      <BrokenPage>
        <WaitDialog loader={null} />
      </BrokenPage>
    )
  )
}

function Shown() {
  const words = useWords()
  const link = useSyncExternalStore(tokenLink.subscribe, tokenLink.current)
  const session = useSessionQuery()
  const path = usePath()
  const loader = <Loader role="status" aria-label={words.loading} />
  if (link?.kind === 'link') return <LinkPage key={link.token} token={link.token} />
  if (link !== null) {
    return (
      <BrokenPage key={link.token}>
        <InvitationPage token={link.token} loader={<Alone>{loader}</Alone>} />
      </BrokenPage>
    )
  }
  if (session.data === undefined) {
    const retry = () => session.refetch()
    return <Alone>{session.error ? <Failure error={session.error} onRetry={retry} /> : loader}</Alone>
  }
  if (typeof session.data !== 'object') return <SignInPage key={session.data} state={session.data} />
  const { connects_apps, held, offered, is_paired, clinic } = session.data
  if (held !== null) {
    return (
      <BrokenPage key="held">
        <HeldPage loader={<Alone>{loader}</Alone>} />
      </BrokenPage>
    )
  }
  // Asked over whatever is shown, in the clinic that was signed in to after the offer.
  const offer = !is_paired && offered?.clinic_id !== clinic.clinic_id && offered
  return (
    <>
      <Page path={path} connectsApps={connects_apps} loader={loader} />
      {offer && (
        <BrokenPage>
          <OfferedDialog key={offer.clinic_id} offer={offer} loader={null} />
        </BrokenPage>
      )}
    </>
  )
}

const OfferedDialog = later(async () => (await import('./account/offered-dialog.tsx')).OfferedDialog)

interface PageProps {
  path: string
  connectsApps: boolean
  loader: ReactNode
}

/** The page of the address. */
function Page({ path, connectsApps, loader }: PageProps) {
  const alone = lonePlaceOf(path)
  if (alone !== null && connectsApps) {
    const Lone = LONE_PAGES[alone]
    return (
      <BrokenPage key={alone}>
        <Lone loader={<Alone>{loader}</Alone>} />
      </BrokenPage>
    )
  }
  const place = placeOf(path)
  const isAbsent = place === null || (place === 'connections' && !connectsApps)
  const Placed = isAbsent ? NotFoundPage : PAGES[place]
  return (
    <BrokenPage>
      <Shell place={place} loader={<Alone>{loader}</Alone>}>
        <BrokenPage key={place}>
          <Placed loader={loader} />
        </BrokenPage>
      </Shell>
    </BrokenPage>
  )
}

/** On a page without a frame. */
function Alone({ children }: { children: ReactNode }) {
  return (
    <Center component="main" mih="100dvh" p="md">
      {children}
    </Center>
  )
}
