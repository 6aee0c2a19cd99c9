// Invites somebody, and shows the invitation's link once.

import { type AnswerOf, api, type BodyOf, type Role } from '@clinic-data/console-parts/api'
import { useDraft } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { PEOPLE } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { CopyText } from '@clinic-data/console-parts/shown/copy'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useHeld } from '@clinic-data/console-parts/shown/held'
import { useTimes } from '@clinic-data/console-parts/times'
import { useSpeech } from '@clinic-data/console-words/language'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { RoleChoice } from './role-choice.tsx'

/** The draft of its form. */
export const NEW_INVITATION = 'new invitation'

const FIELDS = ['name', 'email'] as const

/** A mistake gives the least. */
const FIRST_ROLE: Role = 'member'

type Made = AnswerOf<'invite'>['data']

export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { people } = usePeopleWords()
  const [made, setMade] = useState<Made | null>(null)
  const close = () => {
    onClose()
    setMade(null)
  }
  return (
    <Dialog title={made ? people.made.title : people.inviting.title} isOpen={isOpen} onClose={close} isForm>
      {made ? <LinkOnce made={made} onDone={close} /> : <Form onMade={setMade} onCancel={close} />}
    </Dialog>
  )
}

function Form({ onMade, onCancel }: { onMade: (made: Made) => void; onCancel: () => void }) {
  const { language, words } = useSpeech()
  const { inviting } = usePeopleWords().people
  const client = useQueryClient()
  const [name, setName] = useDraft(`${NEW_INVITATION} name`, '')
  const [email, setEmail] = useDraft(`${NEW_INVITATION} email`, '')
  const [role, setRole] = useDraft<Role>(`${NEW_INVITATION} role`, FIRST_ROLE)
  const sent = useActing({
    act: (body: BodyOf<'invite'>) => api.invite(body),
    onDone: onMade,
    after: () => client.invalidateQueries({ queryKey: PEOPLE }),
  })
  useHeld(sent.isPending)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.act({ name: name.trim(), email: email.trim(), role, language })
  }
  const common = { required: true, withAsterisk: false, autoComplete: 'off' }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          {...common}
          label={inviting.name}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          error={faultText(sent.error, 'name', words)}
          maxLength={200}
          data-autofocus
        />
        <TextInput
          {...common}
          label={inviting.email}
          description={inviting.emailHint}
          type="email"
          dir="ltr"
          classNames={{ label: 'as-page', description: 'as-page', error: 'as-page' }}
          value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
          error={faultText(sent.error, 'email', words)}
        />
        <RoleChoice role={role} onChange={setRole} />
        {hasStatus(sent.error, 409) ? (
          <Refused text={inviting.taken} />
        ) : (
          <Failure error={sent.error} fields={FIELDS} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={sent.isPending} onClick={onCancel}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={sent.isPending}>
            {inviting.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function LinkOnce({ made: { invitation, url, mail }, onDone }: { made: Made; onDone: () => void }) {
  const { made: words } = usePeopleWords().people
  const times = useTimes()
  useHeld()
  return (
    <Stack gap="lg">
      {mail === 'failed' ? (
        <Refused text={words.mail.failed(invitation.email)} />
      ) : (
        <Text>{words.mail[mail](invitation.email)}</Text>
      )}
      <CopyText label={words.link} text={url} isMain />
      <Text size="sm" c="dimmed">
        {words.rules(times.moment(invitation.expires_at))}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {words.done}
        </Button>
      </Group>
    </Stack>
  )
}
