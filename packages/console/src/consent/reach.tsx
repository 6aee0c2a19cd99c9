// Through which of the service's doors an app reaches the clinic.
import type { AccessRequest } from '../api.ts'
import { useAppWords } from '../words/app-words.ts'

export function Reach({ audience }: Pick<AccessRequest, 'audience'>) {
  return useAppWords().consent.audience[audience ?? 'both']
}
