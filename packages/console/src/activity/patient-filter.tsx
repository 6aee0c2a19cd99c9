// Finds the patient whose rows are asked for. Each look-up leaves a row in the audit log, so it waits until the typing pauses.

import { api, type FoundPatients } from '@clinic-data/console-parts/api'
import { failureText } from '@clinic-data/console-parts/requests/failure-text'
import { useWords } from '@clinic-data/console-words/language'
import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'

type FoundPatient = FoundPatients[number]

/** Names and phones that searches have found. */
export const FOUND_PATIENTS = ['patients'] as const

const PAUSE_MS = 400
/** Less is looked for on Enter only. */
const FEWEST_LETTERS = 2
const MINUTE_MS = 60_000

interface PatientFilterProps {
  patient_id: string
  onChoose: (id: string) => void
}

export function PatientFilter({ patient_id, onChoose }: PatientFilterProps) {
  const { patient: patientWords } = useWords().activity
  const list = useCombobox()
  const [chosen, setChosen] = useState<FoundPatient | null>(null)
  /** Null: nobody types, and the field shows who is chosen. */
  const [typed, setTyped] = useState<string | null>(null)
  const [entered, setEntered] = useState('')
  const wanted = typed?.trim() ?? ''
  const { patients, isFound, isLooking, news } = useFoundPatients(wanted, entered)
  const leave = () => {
    setTyped(null)
    setEntered('')
    list.closeDropdown()
  }
  const choose = (id: string) => {
    setChosen(patients.find((one) => one.id === id) ?? null)
    leave()
    if (id !== patient_id) onChoose(id)
  }
  const write = (text: string) => {
    setTyped(text)
    setEntered('')
    // The next list may have another patient in the place that was pointed at.
    list.resetSelectedOption()
    list.openDropdown()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === null) return
    // Nobody was found by these words, and they are meant: an id that nobody has any more.
    if (wanted === '' || (isFound && patients.length === 0)) return choose(wanted)
    setEntered(wanted)
    list.openDropdown()
  }
  useEffect(() => {
    const [only, other] = patients
    if (entered !== '' && only !== undefined && other === undefined) choose(only.id)
  })
  const text = typed ?? (chosen?.id === patient_id ? nameOf(chosen) : patient_id)
  return (
    <form className="patient" onSubmit={submit}>
      <span role="status" className="unseen">
        {news ?? (isFound && patientWords.found(patients.length))}
      </span>
      <Combobox store={list} onOptionSubmit={choose} withinPortal={false} width={300} position="bottom-start">
        <Combobox.Target withExpandedAttribute>
          <TextInput
            label={patientWords.label}
            placeholder={patientWords.hint}
            maxLength={128}
            value={text}
            onChange={({ currentTarget: { value } }) => write(value)}
            onBlur={() => (typed === '' ? choose('') : leave())}
            rightSection={
              patient_id && <CloseButton size="sm" aria-label={patientWords.clear} onClick={() => choose('')} />
            }
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isFound && !isLooking}>
          {news !== null && <Combobox.Header>{news}</Combobox.Header>}
          <Combobox.Options aria-label={patientWords.list}>
            {patients.map((patient) => (
              <Combobox.Option key={patient.id} value={patient.id}>
                <Patient patient={patient} />
              </Combobox.Option>
            ))}
            {isFound && !patients.some(({ id }) => id === wanted) && (
              <Combobox.Option value={wanted}>{patientWords.byId(wanted)}</Combobox.Option>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </form>
  )
}

/** @param entered - is looked for at once. */
function useFoundPatients(wanted: string, entered: string) {
  const words = useWords()
  const { patient: patientWords } = words.activity
  const [paused] = useDebouncedValue(wanted, PAUSE_MS)
  const isLong = wanted.length >= FEWEST_LETTERS
  const searched = entered === wanted || (paused === wanted && isLong) ? wanted : ''
  const { data, error, isFetched } = useQuery({
    queryKey: [...FOUND_PATIENTS, searched],
    queryFn: () => api.findPatients(searched),
    enabled: searched !== '',
    staleTime: MINUTE_MS,
  })
  const isFound = searched !== '' && isFetched
  const isLooking = !isFound && (isLong || searched !== '')
  const nobody = data?.length === 0 ? patientWords.nobody : null
  return {
    patients: data ?? [],
    isFound,
    isLooking,
    /** The text that stands in place of patients. */
    news: isLooking ? patientWords.looking : (failureText(error, words) ?? nobody),
  }
}

function Patient({ patient }: { patient: FoundPatient }) {
  return (
    <>
      <bdi className="who">{nameOf(patient)}</bdi>
      <span className="way found">
        {patient.phone !== null && <bdi dir="ltr">{patient.phone}</bdi>}
        <bdi dir="ltr">{patient.id}</bdi>
      </span>
    </>
  )
}

const nameOf = ({ id, first_name, last_name }: FoundPatient) => [first_name, last_name].filter(Boolean).join(' ') || id
