// Shows what the erasure of a patient would do, asks once more, erases, and says what came of it.

import { api, type PatientErasure } from '@clinic-data/console-parts/api'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Button, Card, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FOUND_PATIENTS } from '../activity/patient-filter.tsx'
import type { ChosenPatient } from './archive-card.tsx'
import { Erased } from './erased.tsx'
import { ErasureLook, isErased } from './erasure-look.tsx'

export function EraseCard({ patient_id, withDoubtful }: ChosenPatient) {
  const { erasure } = usePatientWords()
  const [done, setDone] = useState<PatientErasure | null>(null)
  const looking = useActing({ act: () => api.lookAtErasure(patient_id, withDoubtful) })
  const look = looking.done
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const erase = async () => {
    setDone(await api.erasePatient(patient_id, withDoubtful))
    // The search knows the name still.
    client.removeQueries({ queryKey: FOUND_PATIENTS })
  }
  const { ask } = erasure
  return (
    <Card withBorder padding="lg" component="section" aria-label={erasure.title}>
      <Stack gap="md" align="flex-start">
        <CardHead title={erasure.title} text={erasure.text} />
        {done === null ? (
          <>
            <Failure error={looking.error} />
            <Button variant="default" loading={looking.isPending} onClick={() => looking.act()}>
              {erasure.look}
            </Button>
            <div role="status">{look && <ErasureLook look={look} />}</div>
            {look && look.waiting_messages === 0 && !isErased(look) && (
              <Button color="red" onClick={() => setAsking(true)}>
                {erasure.begin}
              </Button>
            )}
          </>
        ) : (
          <Erased done={done} />
        )}
      </Stack>
      <AskFirst
        title={isAsking ? ask.title : null}
        submit={ask.submit}
        conflict={ask.conflict}
        act={erase}
        onClose={() => setAsking(false)}
      >
        <Text fw={600} className="broken-anywhere">
          <bdi dir="ltr">{patient_id}</bdi>
        </Text>
        <Text>{ask.text}</Text>
        <Text>{ask.outside}</Text>
      </AskFirst>
    </Card>
  )
}
