// Signing in with a passkey: one button, and the device asks for the rest.
import { Button, Divider, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { hasStatus } from '../requests/refusal.ts'
import { useBeginSession } from '../session.ts'
import { Failure, Refused } from '../shown/failure.tsx'
import { KeyIcon } from '../shown/icons.tsx'
import { useWords } from '../words/language.tsx'
import { deviceRefusal, hasPasskeys, signWithPasskey } from './device.ts'

/** Nothing where the browser or the address has no passkeys. */
export function PasskeyEntrance() {
  const { signIn } = useWords()
  const begin = useBeginSession()
  const sent = useMutation({
    mutationFn: async () => api.signInByPasskey(await signWithPasskey(await api.passkeySignInChallenge())),
    onSuccess: begin,
  })
  if (!hasPasskeys()) return null
  return (
    <Stack gap="md" mb="md">
      <NotSignedIn error={sent.error} />
      <Button leftSection={<KeyIcon size={18} />} fullWidth loading={sent.isPending} onClick={() => sent.mutate()}>
        {signIn.byPasskey}
      </Button>
      <Divider label={signIn.orPassword} />
    </Stack>
  )
}

function NotSignedIn({ error }: { error: unknown }) {
  const { signIn } = useWords()
  if (deviceRefusal(error) !== null) return <Refused text={signIn.passkeyStopped} />
  if (hasStatus(error, 401)) return <Refused text={signIn.passkeyRefused} />
  return <Failure error={error} />
}
