// Stands in for every page while the clinic demands another way of signing in than the one that this session began by: says which, and offers it.

import { api } from '@clinic-data/console-parts/api'
import { PASSKEYS, SESSION } from '@clinic-data/console-parts/requests/query-client'
import { useSession, useSignOut } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useWords } from '@clinic-data/console-words/language'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { AddPasskey } from '../account/add-passkey.tsx'
import { hasPasskeys } from '../account/device.ts'
import { ByPasskey, ByProvider } from '../account/other-ways.tsx'
import { useProvider } from '../provider.ts'
import { Entrance } from '../shell/entrance.tsx'

export function HeldPage() {
  const { account } = useWords()
  const { held: words } = usePeopleWords()
  const { administrator, held } = useSession()
  const leave = useSignOut()
  return (
    <Entrance title={words.title} text={administrator.email}>
      <Stack gap="md">
        {held?.demand === 'provider' ? <Provider /> : <Passkey />}
        <Failure error={leave.error} />
        <Text size="sm" c="dimmed">
          {words.notYours}
        </Text>
        <Button variant="default" fullWidth disabled={leave.isPending} onClick={() => leave.mutate(false)}>
          {account.signOut}
        </Button>
      </Stack>
    </Entrance>
  )
}

function Provider() {
  const { held: words } = usePeopleWords()
  const { clinic } = useSession()
  const provider = useProvider()
  if (provider === undefined) return null
  if (provider === null) return <Text>{words.noProvider}</Text>
  return (
    <>
      <Text>{words.provider(provider.name)}</Text>
      <ByProvider provider={provider} clinicId={clinic.clinic_id} onMissingClinic={() => undefined} />
    </>
  )
}

function Passkey() {
  const { account } = useWords()
  const { held: words } = usePeopleWords()
  const { administrator, held } = useSession()
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const listed = useQuery({ queryKey: PASSKEYS, queryFn: api.listPasskeys })
  if (!hasPasskeys()) return <Text>{words.passkey.unable}</Text>
  const { has_passkey } = administrator
  const mayAdd = held?.may_add_passkey === true && listed.data !== undefined
  const close = () => {
    setAdding(false)
    // The sign-in with it is offered then.
    void client.invalidateQueries({ queryKey: SESSION })
  }
  return (
    <>
      <Text>{has_passkey ? words.passkey.has : words.passkey.none}</Text>
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {has_passkey && <ByPasskey />}
      {mayAdd && (
        <Button
          leftSection={<PlusIcon size={16} />}
          variant={has_passkey ? 'default' : 'filled'}
          fullWidth
          onClick={() => setAdding(true)}
        >
          {account.passkeys.add}
        </Button>
      )}
      {has_passkey && !mayAdd && (
        <Text size="sm" c="dimmed">
          {words.passkey.lost}
        </Text>
      )}
      <AddPasskey isOpen={isAdding} known={listed.data?.data ?? []} onClose={close} />
    </>
  )
}
