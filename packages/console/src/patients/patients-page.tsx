// The page on which an owner asks for patients, gives one of them what is held, and erases them.
import '../activity/activity.css'
import './patients.css'
import type { ListedPatient } from '@clinic-data/console-parts/api'
import { useSession } from '@clinic-data/console-parts/session'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Checkbox, Stack, Text, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { today } from '../explore/days.ts'
import { PlaceLink, useSearch } from '../places.tsx'
import { ArchiveCard } from './archive-card.tsx'
import { EraseCard } from './erase-card.tsx'
import { nameOf, PatientList } from './patient-list.tsx'
import { QuestionBar } from './question-bar.tsx'
import { OFTEN, type PatientView, questionsOf, viewIn } from './questions.ts'

const PAUSE_MS = 400
/** Less is looked for on Enter only. */
const FEWEST_LETTERS = 2

export function PatientsPage() {
  const words = usePatientWords()
  const [search, show] = useSearch()
  const { patient_id = '' } = search
  const view = viewIn(search)
  // A name stays on the page: an address is kept, sent and logged.
  const { typed, write, enter, leave, searched, isEntered } = useTyped()
  const [chosen, setChosen] = useState<ListedPatient | null>(null)
  const { clinic } = useSession()
  const questions = questionsOf(view, today(clinic.time_zone), clinic.week_start)
  const isFiltered = Object.keys(view).length > 0
  const isAsked = isFiltered || searched !== ''
  const open = (id: string, patient: ListedPatient | null = null) => {
    setChosen(patient)
    leave()
    show({ ...view, patient_id: id })
  }
  return (
    <>
      <Heading title={words.title} text={words.text} />
      <QuestionBar
        typed={typed}
        onType={(text) => {
          write(text)
          if (patient_id !== '') show(view, true)
        }}
        onEnter={enter}
        view={view}
        onAsk={show}
      />
      {patient_id !== '' && (
        <OfPatient
          key={patient_id}
          patient_id={patient_id}
          name={chosen?.id === patient_id ? nameOf(chosen) : null}
          view={view}
          isSearched={searched !== ''}
        />
      )}
      {patient_id === '' && isAsked && (
        <PatientList
          questions={{ ...questions, ...(searched !== '' && { words: searched }) }}
          isEntered={isEntered && !isFiltered}
          searchOf={(id) => searchFor({ ...view, patient_id: id })}
          onChoose={(patient) => open(patient.id, patient)}
          byId={isFiltered || /\s/.test(searched) ? null : { id: searched, choose: () => open(searched) }}
        />
      )}
      {patient_id === '' && !isAsked && <Often />}
    </>
  )
}

const searchFor = (search: PatientView & { patient_id?: string }) => `?${new URLSearchParams(search)}`

/** Each look-up leaves a row in the audit log, so it waits until the typing pauses. */
function useTyped() {
  const [typed, setTyped] = useState('')
  const [entered, setEntered] = useState('')
  const wanted = typed.trim()
  const isEntered = wanted !== '' && entered === wanted
  const paused = usePaused(wanted)
  const write = (text: string) => {
    setTyped(text)
    setEntered('')
  }
  const searched = isEntered ? wanted : paused
  return { typed, write, enter: () => setEntered(wanted), leave: () => setEntered(''), searched, isEntered }
}

/** The words before stay while others are typed, so that their list does not come and go. */
function usePaused(wanted: string): string {
  const [paused] = useDebouncedValue(wanted, PAUSE_MS)
  return wanted === '' || paused.length < FEWEST_LETTERS ? '' : paused
}

/** The questions that clinics ask often, by one click each. */
function Often() {
  const { choose, asks } = usePatientWords()
  const now = today(useSession().clinic.time_zone)
  return (
    <Stack gap="xs">
      <Text c="dimmed">{choose}</Text>
      <ul className="often">
        {(Object.keys(OFTEN) as (keyof typeof OFTEN)[]).map((name) => (
          <li key={name}>
            <PlaceLink to="patients" search={searchFor(OFTEN[name](now))}>
              {asks.often[name]}
            </PlaceLink>
          </li>
        ))}
      </ul>
    </Stack>
  )
}

interface OfPatientProps {
  patient_id: string
  /** Null: the address named the patient, and it holds no names. */
  name: string | null
  view: PatientView
  isSearched: boolean
}

function OfPatient({ patient_id, name, view, isSearched }: OfPatientProps) {
  const words = usePatientWords()
  const [withDoubtful, setWithDoubtful] = useState(false)
  const title = useRef<HTMLHeadingElement>(null)
  const isChosen = name !== null
  useEffect(() => {
    if (isChosen) title.current?.focus()
  }, [isChosen])
  const choice = { patient_id, withDoubtful }
  return (
    <Stack gap="lg">
      <div>
        {(isSearched || Object.keys(view).length > 0) && (
          <Text size="sm" mb={4}>
            <PlaceLink to="patients" search={searchFor(view)}>
              {words.asks.back}
            </PlaceLink>
          </Text>
        )}
        <Title order={2} size="h3" ref={title} tabIndex={-1} className="broken-anywhere">
          <bdi>{name ?? patient_id}</bdi>
        </Title>
        {isChosen && (
          <Text size="sm" c="dimmed">
            <bdi dir="ltr">{patient_id}</bdi>
          </Text>
        )}
      </div>
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
