// Asks the question and shows its answer: while it is under way, failed, empty, and there.

import { hasStatus, UnreachableError } from '@clinic-data/console-parts/requests/refusal'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { useTimes } from '@clinic-data/console-parts/times'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { Alert, Button, Card, Group, Loader, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { AnswerChart } from './answer-chart.tsx'
import { AnswerTable } from './answer-table.tsx'
import { type Answered, unitOf } from './charted.ts'
import { bodyOf, type Descriptor, type Question } from './question.ts'
import { isPlaced } from './question-faults.ts'
import { useShownFigures } from './shown-figures.ts'

const FRESH_MS = 30_000
const MOST_RETRIES = 2

/** @param isAskable a question that lacks something is not sent */
export function useAnswer(question: Question, descriptor: Descriptor, isAskable: boolean) {
  const body = bodyOf(question, descriptor.date_filter)
  const queryKey = ['answer', body]
  const client = useQueryClient()
  const query = useQuery({
    queryKey,
    enabled: isAskable,
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
    // A question that took too long takes too long again.
    retry: (count, error) => error instanceof UnreachableError && count < MOST_RETRIES,
    queryFn: async ({ signal }): Promise<Answered> => {
      const { data: answer, meta } = await v1('query.run', { body, signal })
      return { answer, descriptor, by: question.by, warnings: meta?.warnings ?? [] }
    },
  })
  return { ...query, body, cancel: () => client.cancelQueries({ queryKey }) }
}

interface AnswerPartProps {
  query: ReturnType<typeof useAnswer>
  question: Question
  isAskable: boolean
  onOrder: (order: Question['order']) => void
}

export function AnswerPart({ query, question, isAskable, onOrder }: AnswerPartProps) {
  const { explore } = useWords()
  const { data, error, isFetching, isPlaceholderData } = query
  const isStopped = isAskable && !isFetching && !error && (data === undefined || isPlaceholderData)
  return (
    <>
      <div role="status" className="asking">
        {isFetching && (
          <Group gap="sm">
            <Loader size="xs" aria-hidden="true" />
            <Text size="sm">{explore.asking}</Text>
            <Button size="compact-xs" variant="default" onClick={query.cancel}>
              {explore.stop}
            </Button>
          </Group>
        )}
        {isStopped && (
          <Group gap="sm">
            <Text size="sm">{explore.stopped}</Text>
            <Button size="compact-xs" variant="default" onClick={() => query.refetch()}>
              {explore.again}
            </Button>
          </Group>
        )}
      </div>
      {hasStatus(error, 503) ? (
        <Refused text={explore.tooSlow} onRetry={() => query.refetch()} />
      ) : (
        !isPlaced(error) && <Failure error={error} onRetry={() => query.refetch()} />
      )}
      {isAskable && !error && data && (
        <Stack gap="lg" className="answer-part" data-old={isPlaceholderData || undefined}>
          <UnknownIds answered={data} />
          <Shown {...{ answered: data, question, onOrder }} />
        </Stack>
      )}
    </>
  )
}

/** Conditions by ids that the clinic does not have: an address may have been typed, or be older than its branch. */
function UnknownIds({ answered: { warnings, descriptor } }: { answered: Answered }) {
  const { explore } = useWords()
  const shown = useShownFigures()
  return warnings.map(({ parameter, values = [] }) => (
    <Alert key={parameter} variant="outline" color="orange" c="var(--console-warning)" role="note">
      {explore.unknownIds(shown.dimension(descriptor.name, parameter), values.join(', '))}
    </Alert>
  ))
}

function Shown({ answered, ...rest }: { answered: Answered } & Omit<AnswerPartProps, 'query' | 'isAskable'>) {
  const { explore } = useWords()
  const times = useTimes()
  const { answer } = answered
  if (answer.rows.length === 0) return <Empty />
  return (
    <>
      {answer.dimensions.length === 0 && <Totals answered={answered} />}
      <AnswerChart answered={answered} />
      <AnswerTable key={JSON.stringify(rest.question)} answered={answered} {...rest} />
      {answer.as_of && (
        <Text size="xs" c="dimmed">
          {explore.asOf(times.moment(answer.as_of), answer.time_zone)}
        </Text>
      )}
    </>
  )
}

/** An answer without groups is a few figures. */
function Totals({ answered: { answer, descriptor } }: { answered: Answered }) {
  const shown = useShownFigures()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      {answer.measures.map((name) => (
        <Card key={name} withBorder padding="lg">
          <Text size="sm" c="dimmed">
            {shown.measure(descriptor.name, name)}
          </Text>
          <Text className="total">{shown.figure(answer.totals[name], unitOf(descriptor, name))}</Text>
        </Card>
      ))}
    </SimpleGrid>
  )
}

function Empty() {
  const { explore } = useWords()
  return (
    <Card withBorder>
      <Stack gap={4} align="center" ta="center" px="md" py={40}>
        <Title order={2} size="h4">
          {explore.empty}
        </Title>
        <Text c="dimmed">{explore.emptyText}</Text>
      </Stack>
    </Card>
  )
}
