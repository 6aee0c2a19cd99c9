// An app asks for access: the page to which it sends people. It looks at the request, asks, and leads back to the app.

import { type AccessRequest, api } from '@clinic-data/console-parts/api'
import { mayPass, RefusedError } from '@clinic-data/console-parts/requests/refusal'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import { Anchor, Center, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Consent } from '../consent/consent.tsx'
import { isWebPage, leaveFor } from '../consent/leave.ts'
import { OnlyConnecting } from '../consent/only-connecting.tsx'
import { Outcome } from '../consent/outcome.tsx'

/** Where the app is answered, and what it is told. */
interface Answer {
  redirect_to: string
  isAllowed: boolean
}

export function AuthorizePage() {
  return (
    <OnlyConnecting>
      <Request />
    </OnlyConnecting>
  )
}

function Request() {
  const words = useWords()
  // The page shows the request that it was loaded with, and nothing else in it changes the address.
  const [request] = useState(() => location.search.slice(1))
  const [answer, setAnswer] = useState<Answer | null>(null)
  const looked = useQuery({
    queryKey: ['request', request],
    queryFn: () => api.lookAtRequest(request),
    enabled: request !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const { access, redirect_to } = looked.data ?? { access: null, redirect_to: null }
  if (answer !== null) return <Leaving access={access} {...answer} />
  if (redirect_to !== null) return <Leaving access={access} redirect_to={redirect_to} isAllowed={false} />
  if (access !== null) return <Asking access={access} request={request} onAnswered={setAnswer} />
  if (request === '' || isWrong(looked.error)) return <WrongRequest error={looked.error} />
  return (
    <Center component="main" mih="100dvh" p="md">
      {looked.error ? (
        <Failure error={looked.error} onRetry={() => looked.refetch()} />
      ) : (
        <Loader role="status" aria-label={words.loading} />
      )}
    </Center>
  )
}

/** The same request gets no other answer later. */
const isWrong = (error: unknown) =>
  error instanceof RefusedError && !mayPass(error) && error.status !== 429 && error.status !== 401

interface AskingProps {
  access: AccessRequest
  request: string
  onAnswered: (answer: Answer) => void
}

function Asking({ access, request, onAnswered }: AskingProps) {
  return (
    <Consent
      access={access}
      allow={(granted, idempotencyKey) => api.allowRequest({ request, ...granted }, idempotencyKey)}
      onAllowed={({ redirect_to }) => onAnswered({ redirect_to, isAllowed: true })}
      refuse={() => api.refuseRequest(request)}
      onRefused={({ redirect_to }) => onAnswered({ redirect_to, isAllowed: false })}
    />
  )
}

/** Stays where a program takes over, and for the moment in which another page comes. */
function Leaving({ access, redirect_to, isAllowed }: Answer & { access: AccessRequest | null }) {
  const { consent } = useAppWords()
  useEffect(() => leaveFor(redirect_to), [redirect_to])
  const isProgram = !isWebPage(redirect_to) || access?.is_on_this_computer === true
  return (
    <Outcome
      title={isAllowed ? consent.allowed : consent.refused}
      text={isProgram ? consent.mayClose : consent.goingBack}
    >
      {isAllowed && !isWebPage(redirect_to) && (
        <Anchor href={redirect_to}>
          {consent.backTo} <bdi>{access?.app.name}</bdi>
        </Anchor>
      )}
    </Outcome>
  )
}

/** Leads nowhere: whoever made the request may not be the app that it names. */
function WrongRequest({ error }: { error: unknown }) {
  const { consent } = useAppWords()
  const faults = error instanceof RefusedError ? Object.values(error.faults) : []
  return (
    <Outcome title={consent.wrong} text={consent.wrongText}>
      {faults.length > 0 && (
        <div>
          <Text size="sm" fw={600}>
            {consent.forItsMakers}
          </Text>
          {faults.map((fault) => (
            <Text key={fault} size="sm" c="dimmed" dir="ltr" className="broken-anywhere">
              {fault}
            </Text>
          ))}
        </div>
      )}
    </Outcome>
  )
}
