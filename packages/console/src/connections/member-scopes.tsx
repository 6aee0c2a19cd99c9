// The permissions that members may give to the apps that they connect. Those who manage the clinic's connections see and change them.

import { api, type BodyOf } from '@clinic-data/console-parts/api'
import { useChange } from '@clinic-data/console-parts/requests/use-change'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { ChangedMeanwhile, Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { allScopes, type Scope } from '@clinic-data/contract/scopes'
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ScopeBoxes } from '../consent/scope-boxes.tsx'

const MEMBER_SCOPES = ['member-scopes'] as const

export function MemberScopes() {
  const { memberScopes: words } = usePeopleWords()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {words.change}
      </Button>
      <Dialog title={words.title} isOpen={isOpen} onClose={close} isForm>
        <Read onClose={close} />
      </Dialog>
    </>
  )
}

function Read({ onClose }: { onClose: () => void }) {
  const read = useQuery({ queryKey: MEMBER_SCOPES, queryFn: api.memberScopes, gcTime: 0 })
  if (read.data !== undefined) return <Form known={read.data} onClose={onClose} />
  return read.error ? (
    <Failure error={read.error} onRetry={() => read.refetch()} />
  ) : (
    <Skeleton height={320} radius="md" aria-hidden="true" />
  )
}

function Form({ known, onClose }: { known: readonly Scope[]; onClose: () => void }) {
  const { cancel, scopes: names } = useWords()
  const { memberScopes: words } = usePeopleWords()
  const client = useQueryClient()
  const [scopes, setScopes] = useState<readonly Scope[]>(known)
  const sent = useChange({
    stored: { scopes: known },
    look: async () => ({ scopes: await api.memberScopes() }),
    act: (body: BodyOf<'setMemberScopes'>) => api.setMemberScopes(body),
    onDone: onClose,
    after: () => client.invalidateQueries({ queryKey: MEMBER_SCOPES }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.act({ scopes: [...scopes] })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Text c="dimmed" size="sm">
          {words.text}
        </Text>
        <ScopeBoxes offered={allScopes} chosen={scopes} onChange={setScopes} fault={undefined} />
        {scopes.length === 0 && <Text size="sm">{words.none}</Text>}
        {sent.now ? (
          <ChangedMeanwhile
            now={[[words.title, sent.now.scopes.map((scope) => names[scope]).join(', ') || words.none]]}
          />
        ) : (
          <Failure error={sent.error} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {words.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
