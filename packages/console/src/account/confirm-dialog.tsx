// Asks who sits here before something that gives power: by a passkey, the identity provider or the password, whichever the reader has. The form
// below waits, and its request goes on by itself.

import { api } from '@clinic-data/console-parts/api'
import { keepDrafts } from '@clinic-data/console-parts/requests/draft'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { SESSION } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { confirming, useWaiting } from '@clinic-data/console-parts/requests/waiting'
import { useSession, useSessionQuery } from '@clinic-data/console-parts/session'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { KeyIcon } from '@clinic-data/console-parts/shown/icons'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Divider, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { leaveFor, openIdOutcome } from '../openid-return.ts'
import { isOptional, type Provider, useProvider } from '../provider.ts'
import { deviceRefusal, hasPasskeys, signWithPasskey } from './device.ts'
import { SignInAgain } from './sign-in-again.tsx'

export function ConfirmDialog() {
  const { confirm } = useWords().account
  const isConfirming = useWaiting(confirming)
  const isSignedIn = typeof useSessionQuery().data === 'object'
  useEffect(() => {
    // Nobody is there to confirm: the session has ended.
    if (isConfirming && !isSignedIn) confirming.settle(false)
  }, [isConfirming, isSignedIn])
  return (
    <Dialog
      title={confirm.title}
      isOpen={isConfirming && isSignedIn}
      onClose={() => confirming.settle(false)}
      isForm
      size="question"
    >
      <Ways />
    </Dialog>
  )
}

/** In another tab somebody else may have signed in meanwhile. Nothing goes on in their name. */
function useSettle(): () => Promise<void> {
  const client = useQueryClient()
  const { administrator, clinic } = useSession()
  return async () => {
    const now = await api.session()
    const isSame = now.administrator.id === administrator.id && now.clinic.clinic_id === clinic.clinic_id
    await client.invalidateQueries({ queryKey: SESSION })
    confirming.settle(isSame)
  }
}

function Ways() {
  const { confirm } = useWords().account
  const { has_password, has_passkey, has_provider_account } = useSession().administrator
  const provider = useProvider()
  if (provider === undefined) return null
  const hasOwn = isOptional(provider)
  const byPasskey = hasOwn && has_passkey && hasPasskeys()
  const byPassword = hasOwn && has_password
  const byProvider = provider !== null && has_provider_account
  return (
    <Stack gap="md">
      <Text c="dimmed" size="sm">
        {confirm.text}
      </Text>
      {byPasskey && <ByPasskey />}
      {byProvider && <ByProvider provider={provider} />}
      {byPassword && (byPasskey || byProvider) && <Divider label={confirm.orPassword} />}
      {byPassword && <ByPassword isOnly={!byPasskey && !byProvider} />}
      {!byPasskey && !byProvider && !byPassword && <SignInAgain />}
    </Stack>
  )
}

function ByPasskey() {
  const { signIn, account } = useWords()
  const settle = useSettle()
  const sent = useActing({
    act: async () => {
      await api.confirmByPasskey(await signWithPasskey(await api.confirmChallenge()))
      await settle()
    },
  })
  return (
    <>
      {deviceRefusal(sent.error) !== null ? (
        <Refused text={signIn.passkeyStopped} />
      ) : hasStatus(sent.error, 422) ? (
        <Refused text={signIn.passkeyRefused} />
      ) : (
        <Failure error={sent.error} />
      )}
      <Button leftSection={<KeyIcon size={18} />} fullWidth loading={sent.isPending} onClick={() => sent.act()}>
        {account.confirm.byPasskey}
      </Button>
    </>
  )
}

function ByProvider({ provider }: { provider: Provider }) {
  const { signIn, account } = useWords()
  const sent = useActing({
    act: api.confirmByProvider,
    onDone: ({ url }) => {
      keepDrafts()
      leaveFor(url)
    },
  })
  return (
    <>
      {sent.error === null && openIdOutcome === 'unconfirmed' && (
        <Refused text={account.confirm.unconfirmed(provider.name)} />
      )}
      {hasStatus(sent.error, 503) ? (
        <Refused text={signIn.openid.unreachable(provider.name)} />
      ) : (
        <Failure error={sent.error} />
      )}
      <Button
        variant={provider.is_required ? 'filled' : 'default'}
        fullWidth
        // The page is about to be left.
        loading={sent.isPending || sent.isSuccess}
        onClick={() => sent.act()}
      >
        {account.confirm.byProvider(provider.name)}
      </Button>
      <Text c="dimmed" size="sm">
        {account.confirm.comesBack}
      </Text>
    </>
  )
}

function ByPassword({ isOnly }: { isOnly: boolean }) {
  const words = useWords()
  const { confirm } = words.account
  const { email } = useSession().administrator
  const settle = useSettle()
  const [password, setPassword] = useState('')
  const sent = useActing({
    act: async () => {
      await api.confirmByPassword(password)
      await settle()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.act()
  }
  const isWrong = faultText(sent.error, 'password', words) !== undefined
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {/* A password manager finds the password by it. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label={confirm.password}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          error={isWrong && confirm.wrong}
          required
          withAsterisk={false}
          data-autofocus
        />
        {!isWrong && <Failure error={sent.error} />}
        <Button type="submit" fullWidth variant={isOnly ? 'filled' : 'default'} loading={sent.isPending}>
          {confirm.submit}
        </Button>
      </Stack>
    </form>
  )
}
