// An app that nobody can connect now: who asks, why it is not possible, and Cancel.

import type { AccessRequest } from '@clinic-data/console-parts/api'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useAppWords } from '@clinic-data/console-words/app-words'
import type { ReactNode } from 'react'
import { AskingApp } from './asking-app.tsx'
import { SignedInAs } from './signed-in-as.tsx'

interface OnlyRefusedProps {
  access: AccessRequest
  error: unknown
  /** Cancel. */
  children: ReactNode
}

export function OnlyRefused({ access, error, children }: OnlyRefusedProps) {
  const { consent } = useAppWords()
  return (
    <div className="consent">
      <AskingApp access={access} />
      <Refused text={access.is_allowed ? consent.stopped : consent.notAllowed} />
      <SignedInAs />
      <Failure error={error} />
      <div className="consent-buttons">{children}</div>
    </div>
  )
}
