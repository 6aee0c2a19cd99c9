// The ways to sign in besides the password: a passkey, and the identity provider of the install.

import { api } from '@clinic-data/console-parts/api'
import { keepDrafts } from '@clinic-data/console-parts/requests/draft'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useBeginSession } from '@clinic-data/console-parts/session'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { KeyIcon } from '@clinic-data/console-parts/shown/icons'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Divider, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { leaveFor, openIdOutcome } from '../openid-return.ts'
import type { Provider } from '../provider.ts'
import { deviceRefusal, hasPasskeys, signWithPasskey } from './device.ts'

interface OtherWaysProps {
  provider: Provider | null
  /** As it is written in the form. */
  clinicId: string
  /** The provider alone does not say which clinic. */
  onMissingClinic: () => void
}

/** Nothing where there is no other way. */
export function OtherWays({ provider, clinicId, onMissingClinic }: OtherWaysProps) {
  const { signIn } = useWords()
  const isOnlyWay = provider?.is_required ?? false
  if (!hasPasskeys() && provider === null) return null
  return (
    <Stack gap="md" mb={isOnlyWay ? 0 : 'md'}>
      {hasPasskeys() && !isOnlyWay && <ByPasskey />}
      {provider !== null && <ByProvider provider={provider} clinicId={clinicId} onMissingClinic={onMissingClinic} />}
      {!isOnlyWay && <Divider label={signIn.orPassword} />}
    </Stack>
  )
}

export function ByPasskey() {
  const { signIn } = useWords()
  const begin = useBeginSession()
  const sent = useActing({
    act: async () => api.signInByPasskey(await signWithPasskey(await api.passkeySignInChallenge())),
    onDone: begin,
  })
  return (
    <>
      <NotSignedIn error={sent.error} />
      <Button leftSection={<KeyIcon size={18} />} fullWidth loading={sent.isPending} onClick={() => sent.act()}>
        {signIn.byPasskey}
      </Button>
    </>
  )
}

function NotSignedIn({ error }: { error: unknown }) {
  const { signIn } = useWords()
  if (deviceRefusal(error) !== null) return <Refused text={signIn.passkeyStopped} />
  if (hasStatus(error, 401)) return <Refused text={signIn.passkeyRefused} />
  return <Failure error={error} />
}

export function ByProvider({ provider, clinicId, onMissingClinic }: OtherWaysProps & { provider: Provider }) {
  const { signIn } = useWords()
  const sent = useMutation({
    mutationFn: () => api.beginOpenId(clinicId.trim()),
    onSuccess: ({ url }) => {
      keepDrafts()
      leaveFor(url)
    },
  })
  return (
    <>
      {sent.isIdle && openIdOutcome && openIdOutcome !== 'unconfirmed' && (
        <Refused text={signIn.openid[openIdOutcome](provider.name)} />
      )}
      {hasStatus(sent.error, 503) ? (
        <Refused text={signIn.openid.unreachable(provider.name)} />
      ) : (
        <Failure error={sent.error} />
      )}
      <Button
        variant={hasPasskeys() && !provider.is_required ? 'default' : 'filled'}
        fullWidth
        // The page is about to be left.
        loading={sent.isPending || sent.isSuccess}
        onClick={() => (clinicId.trim() === '' ? onMissingClinic() : sent.mutate())}
      >
        {signIn.openid.submit(provider.name)}
      </Button>
    </>
  )
}
