// Through which of the service's doors an app reaches the clinic.

import type { AccessRequest } from '@clinic-data/console-parts/api'
import { useAppWords } from '@clinic-data/console-words/app-words'

export function Reach({ audience }: Pick<AccessRequest, 'audience'>) {
  return useAppWords().consent.audience[audience ?? 'both']
}
