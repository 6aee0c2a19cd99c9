// Tells of an erasure what went, what stays, and until when backups hold the patient.

import type { PatientErasure } from '@clinic-data/console-parts/api'
import { useTimes } from '@clinic-data/console-parts/times'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Stack, Text } from '@mantine/core'
import { Counts } from './counts.tsx'

export function Erased({ done }: { done: PatientErasure }) {
  const words = usePatientWords()
  const times = useTimes()
  const { removed, made_anonymous, doubtful, erased_at, last_backup_at } = done
  const { erasure, done: said } = words
  const time = times.exact(erased_at)
  return (
    <Stack gap="md" role="status">
      <div>
        <Text fw={600}>{said.title}</Text>
        <Text size="sm">{said.at(time)}</Text>
      </div>
      <Counts title={said.removed} counts={removed} />
      <Counts title={erasure.anonymous} counts={made_anonymous} />
      {doubtful.length > 0 && <Counts title={erasure.doubtful} counts={doubtful} />}
      <Text size="sm">
        {said.backups(time)} {last_backup_at !== null && said.lastBackup(times.moment(last_backup_at))}
      </Text>
    </Stack>
  )
}
