// The page on which an owner gives a patient what is held about them, and erases them.
import '../activity/activity.css'
import './patients.css'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { PatientFilter } from '../activity/patient-filter.tsx'
import { PlaceLink, useSearch } from '../places.tsx'
import { ArchiveCard } from './archive-card.tsx'
import { EraseCard } from './erase-card.tsx'

export function PatientsPage() {
  const words = usePatientWords()
  const [{ patient_id = '' }, show] = useSearch()
  return (
    <>
      <Heading title={words.title} text={words.text} />
      <div className="patient-choice">
        <PatientFilter patient_id={patient_id} onChoose={(id) => show({ patient_id: id })} />
      </div>
      {patient_id === '' ? (
        <Text c="dimmed">{words.choose}</Text>
      ) : (
        <OfPatient key={patient_id} patient_id={patient_id} />
      )}
    </>
  )
}

function OfPatient({ patient_id }: { patient_id: string }) {
  const words = usePatientWords()
  const [withDoubtful, setWithDoubtful] = useState(false)
  const choice = { patient_id, withDoubtful }
  return (
    <Stack gap="lg">
      <Checkbox
        checked={withDoubtful}
        onChange={({ currentTarget }) => setWithDoubtful(currentTarget.checked)}
        label={words.doubtful.label}
        description={words.doubtful.hint}
      />
      <ArchiveCard {...choice} />
      <EraseCard key={String(withDoubtful)} {...choice} />
      <Text size="sm">
        <PlaceLink to="activity" search={`?${new URLSearchParams({ patient_id, surface: 'all' })}`}>
          {words.who}
        </PlaceLink>
      </Text>
    </Stack>
  )
}
