// The question whether an app may use the clinic's data: who asks, for what and until when, with Allow and Cancel.

import { type AccessRequest, api } from '@clinic-data/console-parts/api'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { CONNECTIONS, SESSION } from '@clinic-data/console-parts/requests/query-client'
import { hasStatus, RefusedError } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useMinting } from '@clinic-data/console-parts/requests/use-minting'
import { useSession } from '@clinic-data/console-parts/session'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useWords } from '@clinic-data/console-words/language'
import type { Scope } from '@clinic-data/contract/scopes'
import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  CHOICE_FIELDS,
  ForIntegration,
  type Granted as ForWhich,
  useIntegrationChoice,
} from '../belonging/for-integration.tsx'
import { AskingApp } from './asking-app.tsx'
import { type Life, LifeSelect, usualLife } from './life.tsx'
import { OnlyRefused } from './only-refused.tsx'
import { Reach } from './reach.tsx'
import { ScopeBoxes } from './scope-boxes.tsx'
import { Sheet } from './sheet.tsx'
import { SignedInAs } from './signed-in-as.tsx'
import { useSettled } from './use-settled.ts'

export interface Granted extends ForWhich {
  scopes: Scope[]
  days: number | null
}

interface ConsentProps<Done> {
  access: AccessRequest
  allow: (granted: Granted, idempotencyKey: string) => Promise<Done>
  onAllowed: (done: Done) => void
  refuse: () => Promise<Done>
  onRefused: (done: Done) => void
  /** Said beside who asks. */
  children?: ReactNode
}

export function Consent<Done>({ access, allow, onAllowed, refuse, onRefused, children }: ConsentProps<Done>) {
  const words = useWords()
  const { consent } = useAppWords()
  const [scopes, setScopes] = useState<readonly Scope[]>(access.may_give)
  const [life, setLife] = useState<Life>(usualLife(useSession().longest_life_days))
  const [isEmpty, setEmpty] = useState(false)
  const isOpenToNone = access.may_give.length === 0
  const { app, integration } = access
  const choice = useIntegrationChoice({ draft: `connect ${app.id}`, preset: integration, newName: app.name })
  const isSettled = useSettled() && choice.isKnown
  const isSame = useSamePerson()
  const allowing = useMinting({
    mint: async (granted: Granted, idempotencyKey) =>
      (await isSame()) ? { done: await allow(granted, idempotencyKey) } : null,
    listed: CONNECTIONS,
    onMinted: (answer) => answer && onAllowed(answer.done),
  })
  const refusing = useActing({ act: refuse, onDone: onRefused })
  const isUnderWay = allowing.isPending || refusing.isPending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setEmpty(scopes.length === 0)
    const forWhich = choice.take()
    if (scopes.length > 0 && forWhich !== null && isSettled)
      allowing.mint({ scopes: [...scopes], days: life, ...forWhich })
  }
  const refuseButton = (
    <Button variant="default" disabled={isUnderWay} onClick={() => refusing.act()}>
      {consent.refuse}
    </Button>
  )
  if (!access.is_allowed || access.is_stopped) {
    return (
      <Sheet title={consent.title(access.app.name)}>
        <OnlyRefused access={access} error={refusing.error}>
          {refuseButton}
        </OnlyRefused>
      </Sheet>
    )
  }
  return (
    <Sheet title={consent.title(access.app.name)}>
      <form className="consent" onSubmit={submit}>
        <AskingApp access={access} />
        {children}
        <ScopeBoxes
          offered={access.may_give}
          chosen={scopes}
          onChange={setScopes}
          fault={isEmpty && scopes.length === 0 ? words.faults.scopes : undefined}
        />
        <NotYours access={access} />
        <Text size="sm" c="dimmed">
          <Reach audience={access.audience} />
        </Text>
        <LifeSelect life={life} onChange={setLife} />
        <ForIntegration choice={choice} error={allowing.error} />
        <SignedInAs />
        <NotDone error={allowing.error ?? refusing.error} saysStopped={!choice.mayChoose} />
        <div className="consent-buttons">
          {refuseButton}
          <Button
            type="submit"
            loading={allowing.isPending}
            disabled={!isSettled || isOpenToNone || refusing.isPending}
          >
            {consent.allow}
          </Button>
        </div>
      </form>
    </Sheet>
  )
}

function NotDone({ error, saysStopped }: { error: unknown; saysStopped: boolean }) {
  const { consent } = useAppWords()
  // The clinic has said meanwhile how long a connection may last.
  const tooLong = faultText(error, 'days', useWords())
  if (tooLong !== undefined) return <Refused text={tooLong} />
  if (!hasStatus(error, 409)) return <Failure error={error} fields={CHOICE_FIELDS} />
  // It is the only fault of a field: the request was not answered before.
  const isStopped = error instanceof RefusedError && 'integration_id' in error.faults
  if (isStopped && !saysStopped) return null
  return <Refused text={isStopped ? consent.stoppedChoice : consent.already} />
}

/** The reader's role may not give everything that the app asks for. */
function NotYours({ access: { scopes, may_give } }: { access: AccessRequest }) {
  const words = useWords()
  const { consent } = useAppWords()
  if (may_give.length === 0) return <Refused text={consent.nothingYours} />
  const beyond = scopes.filter((scope) => !may_give.includes(scope))
  if (beyond.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {consent.notYours}
      </Text>
      <ul className="not-yours">
        {beyond.map((scope) => (
          <li key={scope}>{words.scopes[scope]}</li>
        ))}
      </ul>
    </div>
  )
}

/** Somebody may have signed in as another person in another tab, for another clinic. Then the page shows that one first. */
function useSamePerson(): () => Promise<boolean> {
  const client = useQueryClient()
  const { administrator } = useSession()
  return async () => {
    const now = await api.session()
    client.setQueryData(SESSION, now)
    return now.administrator.id === administrator.id
  }
}
