// The clinic's name where its reader works in several: a menu that leads to the others.

import { api } from '@clinic-data/console-parts/api'
import { type OwnClinic, useOwnClinics } from '@clinic-data/console-parts/own-clinics'
import { moveTo } from '@clinic-data/console-parts/requests/clinic'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { lastSignIn, rememberSignIn, useSession } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Menu, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'

interface ClinicSwitchProps {
  /** Where the console goes on in the other clinic. Default: at its beginning. */
  address?: string
  /** The clinic's name. */
  children: ReactNode
}

export function ClinicSwitch({ address, children }: ClinicSwitchProps) {
  const words = usePeopleWords().pairings
  const { clinic } = useSession()
  const { clinics, error } = useOwnClinics()
  const chosen = useActing({ act: (one: OwnClinic) => choose(one, address) })
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
          {clinics.map((one) => (
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
      <Failure error={error ?? chosen.error} />
    </>
  )
}

async function choose({ clinic_id, pairing }: OwnClinic, address: string | undefined): Promise<void> {
  if (pairing === null) return moveTo(null, address)
  if (pairing.is_open) {
    await api.openPaired(pairing.id)
    return moveTo(clinic_id, address)
  }
  await api.signOut(false)
  rememberSignIn(clinic_id, lastSignIn().email)
  moveTo(null, address)
}
