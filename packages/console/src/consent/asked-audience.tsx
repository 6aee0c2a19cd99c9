// Through which of the service's doors an app reaches the clinic.
import type { AskedAccess } from '../api.ts'
import { useAppWords } from '../words/app-words.ts'

export function AskedAudience({ audience }: Pick<AskedAccess, 'audience'>) {
  return useAppWords().consent.audience[audience ?? 'both']
}
