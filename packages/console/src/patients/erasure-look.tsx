// An erasure before it is done: what goes, what stays without the person, and what stays as it is.

import type { LookedAtErasure } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Alert, Stack, Text } from '@mantine/core'
import { Counts } from './counts.tsx'

/** Whether nothing is left that could be erased. */
export const isErased = ({ removed, made_anonymous, erased_at }: LookedAtErasure) =>
  erased_at !== null && removed.length + made_anonymous.length === 0

export function ErasureLook({ look }: { look: LookedAtErasure }) {
  const { erasure } = usePatientWords()
  const times = useTimes()
  const { removed, made_anonymous, doubtful, waiting_messages, erased_at } = look
  if (erased_at !== null && isErased(look)) return <Text>{erasure.isErased(times.moment(erased_at))}</Text>
  return (
    <Stack gap="md">
      {erased_at !== null && <Text>{erasure.before(times.moment(erased_at))}</Text>}
      {waiting_messages > 0 && (
        <Alert color="red" variant="outline" c="var(--mantine-color-error)">
          {erasure.waiting(waiting_messages)}
        </Alert>
      )}
      <Counts title={erasure.removed} counts={removed} />
      <Counts title={erasure.anonymous} counts={made_anonymous} />
      <div>
        <Text fw={600}>{erasure.stays}</Text>
        <Text size="sm">{erasure.staysText}</Text>
      </div>
      {doubtful.length > 0 && <Counts title={erasure.doubtful} counts={doubtful} text={erasure.doubtfulText} />}
    </Stack>
  )
}
