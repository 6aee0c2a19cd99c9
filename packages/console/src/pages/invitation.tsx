// Accepting an invitation: says who invites to which clinic and as what, and asks for the address that it was sent to. What refuses it says
// why.

import { type AnswerOf, api } from '@clinic-data/console-parts/api'
import { hasStatus, RefusedError } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { rememberSignIn, useBeginSession, useSessionQuery } from '@clinic-data/console-parts/session'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Button, Center, Loader, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { goTo } from '../places.tsx'
import { Entrance } from '../shell/entrance.tsx'
import { tokenLink } from '../token-links.ts'

type Seen = AnswerOf<'lookAtInvitation'>['data']

export function InvitationPage({ token }: { token: string }) {
  const { invitation: words } = usePeopleWords()
  const [isMade, setMade] = useState(false)
  const looked = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.lookAtInvitation(token),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const end = endOf(looked.error)
  return (
    <Entrance title={words.title} text={words.text}>
      {end !== null ? (
        <Ended text={words.refused[end]} />
      ) : isMade ? (
        <ToSignIn text={words.made} />
      ) : looked.data !== undefined ? (
        <Accept token={token} seen={looked.data} onMade={() => setMade(true)} />
      ) : looked.error ? (
        <Failure error={looked.error} onRetry={() => looked.refetch()} />
      ) : (
        <Center p="md">
          <Loader role="status" aria-label={words.looking} />
        </Center>
      )}
    </Entrance>
  )
}

const ENDS = ['used', 'withdrawn', 'expired', 'unknown'] as const

/** Why it is accepted no more. Null: something else failed, or nothing. */
function endOf(error: unknown): (typeof ENDS)[number] | null {
  if (!(error instanceof RefusedError)) return null
  const code = error.placedFaults.find(({ place }) => place === '/token')?.code
  // A token that is too long or empty is no invitation either.
  return code === undefined ? null : (ENDS.find((one) => one === code) ?? 'unknown')
}

const isForOther = (error: unknown) =>
  error instanceof RefusedError && error.placedFaults.some(({ code }) => code === 'other_address')

interface AcceptProps {
  token: string
  seen: Seen
  /** The account is made, and its person signs in by the identity provider. */
  onMade: () => void
}

function Accept({ token, seen, onMade }: AcceptProps) {
  const { invitation } = usePeopleWords()
  const [email, setEmail] = useState('')
  const begin = useBeginSession()
  const sent = useActing({
    act: () => api.acceptInvitation({ token, email: email.trim() }),
    onDone: async (session) => {
      if (session === null) {
        rememberSignIn(seen.clinic.clinic_id, email.trim())
        return onMade()
      }
      await begin(session)
      // Without a password or a passkey nobody comes back.
      goTo('account')
      tokenLink.forget()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.act()
  }
  const end = endOf(sent.error)
  if (end !== null) return <Ended text={invitation.refused[end]} />
  if (hasStatus(sent.error, 409)) return <Ended text={invitation.taken} />
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Invited seen={seen} />
        <TextInput
          label={invitation.email}
          description={invitation.emailHint}
          type="email"
          dir="ltr"
          classNames={{ label: 'as-page', description: 'as-page', error: 'as-page' }}
          autoComplete="email"
          value={email}
          onChange={({ currentTarget: { value } }) => setEmail(value)}
          error={isForOther(sent.error) && invitation.otherAddress}
          required
          withAsterisk={false}
          autoFocus
        />
        {!isForOther(sent.error) && <Failure error={sent.error} />}
        <OtherSession />
        <Button type="submit" fullWidth loading={sent.isPending || sent.isSuccess}>
          {invitation.accept}
        </Button>
        <Text size="sm" c="dimmed">
          {invitation.next} {invitation.notMine}
        </Text>
      </Stack>
    </form>
  )
}

function Invited({ seen: { name, role, clinic, made_by } }: { seen: Seen }) {
  const { invitation } = usePeopleWords()
  const { roles } = useRoleWords()
  return (
    <div>
      <Text fw={600}>
        {invitation.hello} <bdi>{name}</bdi>
      </Text>
      <Text>
        {invitation.by(made_by)} <bdi className="strong">{clinic.name}</bdi> (<bdi dir="ltr">{clinic.clinic_id}</bdi>).
      </Text>
      <Text mt="xs">
        {invitation.asRole} <span className="strong">{roles[role][0]}</span>
      </Text>
      <Text size="sm" c="dimmed">
        {roles[role][1]}
      </Text>
    </div>
  )
}

/** Whoever is signed in here already may not be whom the invitation is for. */
function OtherSession() {
  const { invitation } = usePeopleWords()
  const { data } = useSessionQuery()
  if (typeof data !== 'object') return null
  return <Text size="sm">{invitation.other(data.administrator.email)}</Text>
}

function Ended({ text }: { text: string }) {
  return (
    <Stack gap="md">
      <Refused text={text} />
      <SignInButton />
    </Stack>
  )
}

function ToSignIn({ text }: { text: string }) {
  return (
    <Stack gap="md">
      <Text role="status">{text}</Text>
      <SignInButton />
    </Stack>
  )
}

function SignInButton() {
  const { invitation } = usePeopleWords()
  return (
    <Button variant="default" fullWidth onClick={() => tokenLink.forget()}>
      {invitation.toSignIn}
    </Button>
  )
}
