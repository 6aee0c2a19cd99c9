// Whoever may connect no apps is told so, and not that the app is wrong.

import { useSession } from '@clinic-data/console-parts/session'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import type { ReactNode } from 'react'
import { useMay } from '../roles.ts'
import { Outcome } from './outcome.tsx'
import { SignedInAs } from './signed-in-as.tsx'

export function OnlyConnecting({ children }: { children: ReactNode }) {
  const { consent } = useAppWords()
  const { forbidden, roles } = useRoleWords()
  const { role } = useSession().administrator
  if (useMay()('lookAtRequest')) return children
  return (
    <Outcome title={consent.notYou} text={`${consent.notYouText} ${forbidden.yours(roles[role][0])}`}>
      <SignedInAs />
    </Outcome>
  )
}
