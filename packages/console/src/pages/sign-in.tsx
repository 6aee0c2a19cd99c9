// Signing in with a passkey, by the identity provider or with a password. The clinic and the e-mail of the last time stand there already.

import { api } from '@clinic-data/console-parts/api'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { SESSION } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { lastSignIn, type SessionState, useBeginSession } from '@clinic-data/console-parts/session'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { hasPasskeys } from '../account/device.ts'
import { OtherWays } from '../account/other-ways.tsx'
import { useProvider } from '../provider.ts'
import { Entrance } from '../shell/entrance.tsx'

const FIELDS = ['clinic_id', 'email', 'password'] as const

export interface SignInProps {
  state?: Exclude<SessionState, object>
  /** A link did not sign in. */
  isLinkRefused?: boolean
}

const NOWHERE = { clinic_id: '', email: '' }

export function SignInPage({ state = 'none', isLinkRefused = false }: SignInProps) {
  const words = useWords()
  const { signIn } = words
  // Another clinic than the last one is signed in to, to be paired with it.
  const isPairing = state === 'pairing'
  const [entered, setEntered] = useState({ ...(isPairing ? NOWHERE : lastSignIn()), password: '' })
  const begin = useBeginSession()
  const provider = useProvider() ?? null
  const clinicField = useRef<HTMLInputElement>(null)
  const [isClinicMissing, setClinicMissing] = useState(false)
  const askForClinic = () => {
    setClinicMissing(true)
    clinicField.current?.focus()
  }
  const sent = useActing({ act: api.signIn, onDone: begin })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.act(entered)
  }
  const field = (name: (typeof FIELDS)[number]) => ({
    name,
    value: entered[name],
    error: faultText(sent.error, name, words),
    required: true,
    withAsterisk: false,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setEntered((before) => ({ ...before, [name]: value })),
  })
  const isKnown = entered.clinic_id !== '' && entered.email !== ''
  const [wasKnown] = useState(isKnown)
  const clinic = (
    <TextInput
      label={signIn.clinic}
      description={signIn.clinicHint}
      autoComplete="organization"
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      autoFocus={!wasKnown}
      ref={clinicField}
      {...field('clinic_id')}
      {...(isClinicMissing && entered.clinic_id === '' && { error: words.faults.clinic_id })}
    />
  )
  const text = state === 'ended' ? signIn.ended : signIn.text
  const title = isPairing ? signIn.pairing.title : signIn.title
  const head = { title, text: isPairing ? signIn.pairing.text : text }
  if (provider?.is_required)
    return (
      <Entrance {...head}>
        <Stack gap="md">
          {isLinkRefused && <Refused text={signIn.linkRefused} />}
          {clinic}
          <OtherWays provider={provider} clinicId={entered.clinic_id} onMissingClinic={askForClinic} />
          {isPairing && <NoPairing />}
        </Stack>
      </Entrance>
    )
  return (
    <Entrance {...head} {...(!isPairing && { foot: signIn.without })}>
      <OtherWays provider={provider} clinicId={entered.clinic_id} onMissingClinic={askForClinic} />
      <form onSubmit={submit} noValidate={false}>
        <Stack gap="md">
          {isLinkRefused && sent.error === null && <Refused text={signIn.linkRefused} />}
          {hasStatus(sent.error, 401) ? (
            <Refused text={signIn.refused} />
          ) : (
            <Failure error={sent.error} fields={FIELDS} />
          )}
          {clinic}
          <TextInput label={signIn.email} type="email" autoComplete="username" dir="ltr" {...field('email')} />
          <PasswordInput
            label={signIn.password}
            autoComplete="current-password"
            autoFocus={wasKnown}
            {...field('password')}
          />
          <Button
            type="submit"
            loading={sent.isPending}
            fullWidth
            variant={hasPasskeys() || provider !== null ? 'default' : 'filled'}
          >
            {signIn.submit}
          </Button>
          {isPairing && <NoPairing />}
        </Stack>
      </form>
    </Entrance>
  )
}

/** Goes on in the session that there is. */
function NoPairing() {
  const { signIn } = useWords()
  const client = useQueryClient()
  const back = useActing({ act: api.refusePairing, onDone: () => client.invalidateQueries({ queryKey: SESSION }) })
  return (
    <>
      <Failure error={back.error} />
      <Button variant="default" fullWidth loading={back.isPending} onClick={() => back.act()}>
        {signIn.pairing.cancel}
      </Button>
    </>
  )
}
