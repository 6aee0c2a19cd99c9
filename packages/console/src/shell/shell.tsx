// The frame of every page behind the sign-in: the clinic, the navigation, the reader's choices.

import { useSession } from '@clinic-data/console-parts/session'
import {
  ActivityIcon,
  ApprovalIcon,
  ChartIcon,
  HomeIcon,
  HouseIcon,
  HousesIcon,
  KeyIcon,
  LinkIcon,
  PartnersIcon,
  PeopleIcon,
  PersonIcon,
  PlugIcon,
  RecordIcon,
  WebhookIcon,
} from '@clinic-data/console-parts/shown/icons'
import { later } from '@clinic-data/console-parts/shown/later'
import { useWords } from '@clinic-data/console-words/language'
import { Alert, AppShell, Burger, Group, NavLink, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useLayoutEffect } from 'react'
import { goTo, isStart, linkTo, PlaceLink, type PlaceName, usePath } from '../places.tsx'
import { isOptional, useProvider } from '../provider.ts'
import { useOpenPlaces } from '../roles.ts'
import { Mark } from './mark.tsx'
import { Preferences } from './preferences.tsx'

/** In the order of the navigation. */
const ENTRIES = [
  ['home', HomeIcon],
  ['clinics', HousesIcon],
  ['integrations', PartnersIcon],
  ['keys', KeyIcon],
  ['connections', LinkIcon],
  ['webhooks', WebhookIcon],
  ['approvals', ApprovalIcon],
  ['activity', ActivityIcon],
  ['explore', ChartIcon],
  ['patients', RecordIcon],
  ['clinic', HouseIcon],
  ['connect', PlugIcon],
  ['people', PeopleIcon],
  ['account', PersonIcon],
] as const satisfies [PlaceName, unknown][]

const ClinicSwitch = later(async () => (await import('./clinic-switch.tsx')).ClinicSwitch)

const NotOpen = later(async () => (await import('./not-open.tsx')).NotOpen)

export function Shell({ place, children }: { place: PlaceName | null; children: ReactNode }) {
  const words = useWords()
  const { administrator, clinic } = useSession()
  const { mayOpen, isOthers } = useOpenPlaces()
  const provider = useProvider()
  const { has_password, has_passkey, has_provider_account } = administrator
  const isWithoutWayIn = !has_password && !has_passkey && !has_provider_account && isOptional(provider)
  const [isOpen, { toggle, close }] = useDisclosure()
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 248, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 40 }}
    >
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <AppShell.Header hiddenFrom="sm" component="div" role="region" aria-label={clinic.name}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Clinic name={clinic.name} id={clinic.clinic_id} />
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={words.menu} aria-expanded={isOpen} />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md" className="navigation" aria-label={words.navigation}>
        <Group justify="space-between" wrap="nowrap" mb="lg">
          <Clinic name={clinic.name} id={clinic.clinic_id} />
          <Burger opened hiddenFrom="sm" onClick={close} size="sm" aria-label={words.close} />
        </Group>
        <div className="entries">
          {ENTRIES.filter(([name]) => mayOpen(name)).map(([name, Icon]) => (
            <NavLink
              key={name}
              {...linkTo(name, close)}
              active={place === name}
              {...(place === name && { 'aria-current': 'page' as const })}
              label={words.pages[name]}
              leftSection={<Icon />}
            />
          ))}
        </div>
        <Stack mt="auto" gap="sm">
          <div>
            <Text size="sm" fw={600} truncate>
              {administrator.name}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              <bdi dir="ltr">{administrator.email}</bdi>
            </Text>
          </div>
          <Preferences />
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id="content">
        <Stack gap="lg" maw={1040} mx="auto">
          {isWithoutWayIn && place !== 'account' && (
            <Alert color="indigo" variant="outline">
              {words.account.noWayIn} <PlaceLink to="account">{words.account.noWayInAction}</PlaceLink>
            </Alert>
          )}
          {place !== null && isOthers(place) ? <Elsewhere place={place} /> : children}
        </Stack>
      </AppShell.Main>
    </AppShell>
  )
}

/** Whoever names no page begins with the first that is open. */
function Elsewhere({ place }: { place: PlaceName }) {
  const { first } = useOpenPlaces()
  const isBegin = isStart(usePath())
  useLayoutEffect(() => {
    if (isBegin) goTo(first, '', true)
  }, [isBegin, first])
  return isBegin ? null : <NotOpen place={place} loader={null} />
}

function Clinic({ name, id }: ClinicProps) {
  const { has_pairings, is_paired } = useSession()
  const shown = <ClinicName name={name} id={id} />
  return has_pairings || is_paired ? <ClinicSwitch loader={shown}>{shown}</ClinicSwitch> : shown
}

interface ClinicProps {
  name: string
  id: string
}

function ClinicName({ name, id }: ClinicProps) {
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Mark />
      <div className="clinic">
        <Text fw={650} truncate lh={1.25} dir="auto">
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          <bdi dir="ltr">{id}</bdi>
        </Text>
      </div>
    </Group>
  )
}
