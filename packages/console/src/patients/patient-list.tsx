// Who was found, page after page, with how many in words, and what nobody is found by.

import { api, type ListedPatient, type PatientQuestions } from '@clinic-data/console-parts/api'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { usePatientWords } from '@clinic-data/console-words/patient-words'
import { Anchor, Button, Card, Stack, Table, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { FOUND_PATIENTS } from '../activity/patient-filter.tsx'
import { linkTo } from '../places.tsx'
import { useQuestionTexts } from './question-texts.ts'

const MINUTE_MS = 60_000

interface PatientListProps {
  questions: PatientQuestions
  /** Whether the only one who is found is meant. */
  isEntered: boolean
  searchOf: (patient_id: string) => string
  onChoose: (patient: ListedPatient) => void
  /** Nobody is found by these words, and they may be an id. */
  byId: { id: string; choose: () => void } | null
}

/** Each page leaves a row in the audit log, so none is read again by itself. */
function useList(questions: PatientQuestions) {
  return useInfiniteQuery({
    queryKey: [...FOUND_PATIENTS, 'list', questions],
    queryFn: ({ pageParam }) => api.listPatients({ ...questions, ...(pageParam && { after: pageParam }) }),
    initialPageParam: null as string[] | null,
    getNextPageParam: ({ meta }) => meta.after,
    staleTime: MINUTE_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

export function PatientList({ questions, isEntered, searchOf, onChoose, byId }: PatientListProps) {
  const { asks } = usePatientWords()
  const list = useList(questions)
  const patients = list.data?.pages.flatMap(({ data }) => data) ?? []
  const [only, other] = patients
  useEffect(() => {
    if (isEntered && only !== undefined && other === undefined) onChoose(only)
  })
  const isNobody = list.isSuccess && only === undefined
  const news = list.isFetching ? asks.looking : asks.found(patients.length, list.hasNextPage)
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed" role="status">
        {!list.error && news}
      </Text>
      {only !== undefined && <Found patients={patients} searchOf={searchOf} onChoose={onChoose} />}
      {isNobody && (
        <Card withBorder>
          <Stack gap={8} align="center" ta="center" py={28}>
            <Title order={2} size="h4">
              {asks.nobody}
            </Title>
            <Text c="dimmed">{asks.nobodyText}</Text>
            {byId && (
              <Button variant="default" onClick={byId.choose}>
                {asks.byId(byId.id)}
              </Button>
            )}
          </Stack>
        </Card>
      )}
      {/* The fields ask for nothing of the kind: an address does. */}
      {hasStatus(list.error, 400) ? (
        <Refused text={asks.notUnderstood} />
      ) : (
        <Failure
          error={list.error}
          onRetry={() => (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch())}
        />
      )}
      {list.hasNextPage && !list.isFetchNextPageError && (
        <Button
          variant="default"
          className="more-patients"
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage()}
        >
          {asks.more}
        </Button>
      )}
    </Stack>
  )
}

interface FoundProps extends Pick<PatientListProps, 'searchOf' | 'onChoose'> {
  patients: readonly ListedPatient[]
}

function Found({ patients, searchOf, onChoose }: FoundProps) {
  const { asks } = usePatientWords()
  const { columns } = asks
  const { money, day } = useQuestionTexts()
  const dayOr = (text: string | null, none: string) => (text === null ? none : day(text))
  return (
    <Card withBorder padding={0}>
      <Table className="log" aria-label={asks.list}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.patient}</Table.Th>
            <Table.Th>{columns.phone}</Table.Th>
            <Table.Th>{columns.born}</Table.Th>
            <Table.Th>{columns.visit}</Table.Th>
            <Table.Th>{columns.payment}</Table.Th>
            <Table.Th className="amount">{columns.balance}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {patients.map((patient) => (
            <Table.Tr key={patient.id}>
              <Table.Td className="who">
                <Anchor inherit {...linkTo('patients', () => onChoose(patient), searchOf(patient.id))}>
                  <bdi>{nameOf(patient)}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td data-label={columns.phone}>
                <bdi dir="ltr">{patient.phone ?? '–'}</bdi>
              </Table.Td>
              <Table.Td data-label={columns.born}>{dayOr(patient.birth_date, '–')}</Table.Td>
              <Table.Td data-label={columns.visit}>{dayOr(patient.last_visit_on, asks.never)}</Table.Td>
              <Table.Td data-label={columns.payment}>{dayOr(patient.last_payment_on, asks.never)}</Table.Td>
              <Table.Td data-label={columns.balance} className="amount">
                {money(patient.balance)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

export const nameOf = ({ id, first_name, last_name }: ListedPatient) =>
  [first_name, last_name].filter(Boolean).join(' ') || id
