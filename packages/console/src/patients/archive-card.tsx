// Downloads everything that is held about one patient.

import { api } from '@clinic-data/console-parts/api'
import { UnreachableError } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { DownloadIcon } from '@clinic-data/console-parts/shown/icons'
import { useWords } from '@clinic-data/console-words/language'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Button, Card, Stack, Text } from '@mantine/core'
import { saveFile } from '../explore/save-file.ts'

export interface ChosenPatient {
  patient_id: string
  /** Also what may be another person's. */
  withDoubtful: boolean
}

export function ArchiveCard({ patient_id, withDoubtful }: ChosenPatient) {
  const { archive } = usePatientWords()
  const { locale } = useWords()
  const making = useActing({
    act: () => api.exportPatient(patient_id, withDoubtful),
    onDone: (file) => saveFile(archive.name(patient_id), file),
  })
  return (
    <Card withBorder padding="lg" component="section" aria-label={archive.title}>
      <Stack gap="md" align="flex-start">
        <CardHead title={archive.title} text={archive.text} />
        {/* Whatever came of half an archive, it is none. */}
        {making.error instanceof UnreachableError ? (
          <Refused text={archive.broken} />
        ) : (
          <Failure error={making.error} />
        )}
        <Button leftSection={<DownloadIcon />} loading={making.isPending} onClick={() => making.act()}>
          {archive.submit}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {making.isPending && archive.making}
          {making.done && archive.done(sizeOf(making.done.size, locale))}
        </Text>
      </Stack>
    </Card>
  )
}

const KB = 1000

/** In kilobytes, or in megabytes from one on. */
function sizeOf(bytes: number, locale: string): string {
  const isLarge = bytes >= KB * KB
  const unit = isLarge ? 'megabyte' : 'kilobyte'
  const value = bytes / (isLarge ? KB * KB : KB)
  return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value)
}
