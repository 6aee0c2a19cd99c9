// Why a row was refused, in words: known problems by their names, others by their slug.
import type { ActivityRow } from '@clinic-data/console-parts/api'
import type { Words } from '@clinic-data/console-words/en'

type Refusal = Pick<ActivityRow, 'problem' | 'required_scope'>

export function refusalText({ problem, required_scope }: Refusal, { refusals, activity }: Words): string | null {
  if (problem === null) return null
  if (required_scope !== null) return activity.lacksScope
  return refusals[problem as keyof typeof refusals] ?? problem
}
