// The clinic's name where its reader works in several: a menu that leads to the others.

import { api, type Pairing } from '@clinic-data/console-parts/api'
import { moveTo } from '@clinic-data/console-parts/requests/clinic'
import { PAIRINGS } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { lastSignIn, rememberSignIn, useSession } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Menu, Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

/** A clinic of the menu. Without a pairing it is the one that was signed in to. */
interface Choice {
  clinic_id: string
  name: string
  pairing: Pairing | null
}

interface ClinicSwitchProps {
  /** Where the console goes on in the other clinic. Default: at its beginning. */
  address?: string
  /** The clinic's name. */
  children: ReactNode
}

export function ClinicSwitch({ address, children }: ClinicSwitchProps) {
  const words = usePeopleWords().pairings
  const { clinic } = useSession()
  const listed = useQuery({ queryKey: PAIRINGS, queryFn: api.listPairings })
  const chosen = useActing({ act: (choice: Choice) => choose(choice, address) })
  const { here, data = [] } = listed.data ?? {}
  const choices: Choice[] = [
    ...(here ? [{ ...here, pairing: null }] : []),
    ...data.map((pairing) => ({ ...pairing, pairing })),
  ]
  return (
    <>
      <Menu position="bottom-start" withinPortal={false} transitionProps={{ duration: 0 }} width="target">
        <Menu.Target>
          <UnstyledButton className="clinic-switch">
            {children}
            <span className="unseen">{words.change}</span>
            <span aria-hidden="true">▾</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map((one) => (
            <Menu.Item
              key={one.clinic_id}
              disabled={chosen.isPending}
              {...(one.clinic_id === clinic.clinic_id && { 'aria-current': 'true', fw: 650 })}
              onClick={() => one.clinic_id !== clinic.clinic_id && chosen.act(one)}
            >
              <bdi>{one.name}</bdi>
              <Text size="xs" c="dimmed">
                <bdi dir="ltr">{one.clinic_id}</bdi>
                {one.pairing?.is_open === false && ` · ${words.signInThere}`}
              </Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Failure error={listed.error ?? chosen.error} />
    </>
  )
}

async function choose({ clinic_id, pairing }: Choice, address: string | undefined): Promise<void> {
  if (pairing === null) return moveTo(null, address)
  if (pairing.is_open) {
    await api.openPaired(pairing.id)
    return moveTo(clinic_id, address)
  }
  await api.signOut(false)
  rememberSignIn(clinic_id, lastSignIn().email)
  moveTo(null, address)
}
