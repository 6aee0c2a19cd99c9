// A device without a browser asks for access: its code is typed here, and then the same question is access as for any app.

import { type AccessRequest, api } from '@clinic-data/console-parts/api'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Consent } from '../consent/consent.tsx'
import { OnlyConnecting } from '../consent/only-connecting.tsx'
import { Outcome } from '../consent/outcome.tsx'
import { Entrance } from '../shell/entrance.tsx'

/** A code, and the request that it belongs to. */
interface Waiting {
  code: string
  access: AccessRequest
}

export function DevicePage() {
  return (
    <OnlyConnecting>
      <Device />
    </OnlyConnecting>
  )
}

function Device() {
  const { device } = useAppWords()
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const [outcome, setOutcome] = useState<'allowed' | 'refused' | null>(null)
  if (outcome !== null) return <Outcome title={device[outcome]} text={device.mayGoBack} />
  if (waiting === null) return <CodeForm onFound={setWaiting} />
  const { code, access } = waiting
  return (
    <Consent
      access={access}
      allow={async (granted, idempotencyKey) => {
        await api.allowDevice({ user_code: code, ...granted }, idempotencyKey)
      }}
      onAllowed={() => setOutcome('allowed')}
      refuse={async () => {
        await api.refuseDevice(code)
      }}
      onRefused={() => setOutcome('refused')}
    >
      <Text size="sm">
        {device.forCode} <bdi className="user-code">{code}</bdi>
      </Text>
    </Consent>
  )
}

/** A code in the address is filled in and not sent: whoever made a link with it may be at another device. */
function CodeForm({ onFound }: { onFound: (waiting: Waiting) => void }) {
  const { device } = useAppWords()
  const [code, setCode] = useState(() => new URLSearchParams(location.search).get('user_code')?.slice(0, MOST) ?? '')
  const sent = useActing({
    act: async (typed: string) => ({ code: typed, access: await api.lookAtDevice(typed) }),
    onDone: onFound,
  })
  const isUnknown = hasStatus(sent.error, 404) || hasStatus(sent.error, 422)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    sent.act(asShown(code))
  }
  return (
    <Entrance title={device.title} text={device.text}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={device.code}
            description={device.codeHint}
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            error={isUnknown && device.unknown}
            maxLength={MOST}
            required
            withAsterisk={false}
            autoFocus
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            dir="ltr"
            classNames={{ input: 'user-code' }}
          />
          {!isUnknown && <Failure error={sent.error} />}
          <Button type="submit" fullWidth loading={sent.isPending}>
            {device.submit}
          </Button>
        </Stack>
      </form>
    </Entrance>
  )
}

/** However it was typed, it is shown as the device shows it. */
function asShown(typed: string): string {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return letters.length === LENGTH ? `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}` : typed.trim()
}

const LENGTH = 8
/** Room for spaces and dashes. */
const MOST = 20
