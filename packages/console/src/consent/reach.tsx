// Through which of the service's doors an app reaches the clinic.

import { useAppWords } from '@clinic-data/console-words/app-words'
import type { AccessRequest } from '../api.ts'

export function Reach({ audience }: Pick<AccessRequest, 'audience'>) {
  return useAppWords().consent.audience[audience ?? 'both']
}
