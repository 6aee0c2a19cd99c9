// Asks for the clinic's numbers. The address holds the question, so it can be shared, and "back" leads to the one before.
import { Button, Card, NativeSelect, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import '../explore/explore.css'
import { useSession } from '@clinic-data/console-parts/session'
import { Failure, Refused } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { v1 } from '@clinic-data/console-parts/v1'
import { useWords } from '@clinic-data/console-words/language'
import { AnswerPart, useAnswer } from '../explore/answer-part.tsx'
import { namedRange, today } from '../explore/days.ts'
import { type Descriptor, type Question, questionAbout, questionOf, searchOf } from '../explore/question.ts'
import { faultsOf, unaskable } from '../explore/question-faults.ts'
import { QuestionForm } from '../explore/question-form.tsx'
import { SameQuestion } from '../explore/same-question.tsx'
import { useShownFigures } from '../explore/shown-figures.ts'
import { STARTS, startingQuestion } from '../explore/starting-questions.ts'
import { linkTo, PlaceLink, useSearch } from '../places.tsx'

export function ExplorePage() {
  const { explore } = useWords()
  const [search, show] = useSearch()
  const described = useQuery({
    queryKey: ['metrics'],
    queryFn: () => v1('metrics.describe'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const question = questionOf(search)
  const descriptors = described.data?.data.datasets
  const descriptor = descriptors?.find(({ name }) => name === question?.dataset)
  const ask = (next: Question) => show({ ...searchOf(next), chart: search.chart })
  return (
    <>
      <Heading title={explore.title} text={explore.text} />
      {!descriptors && !described.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      <Failure error={described.error} onRetry={() => described.refetch()} />
      {descriptors && question && !descriptor && <Refused text={explore.faults.dataset} />}
      {descriptors && !descriptor && <Starts descriptors={descriptors} onAsk={ask} />}
      {descriptors && descriptor && question && (
        <>
          <div>
            <PlaceLink to="explore">{explore.all}</PlaceLink>
          </div>
          <Asking {...{ question, descriptor, descriptors }} onChange={ask} />
        </>
      )}
    </>
  )
}

interface AskingProps {
  question: Question
  descriptor: Descriptor
  descriptors: readonly Descriptor[]
  onChange: (question: Question) => void
}

function Asking({ question, descriptor, descriptors, onChange }: AskingProps) {
  const { explore } = useWords()
  const lacking = unaskable(question, descriptor, explore)
  const isAskable = lacking === null
  const query = useAnswer(question, descriptor, isAskable)
  const faults = lacking ?? faultsOf(query.error, question, explore)
  return (
    <>
      <QuestionForm {...{ question, descriptor, descriptors, faults, onChange }} />
      {faults.order && <Refused text={faults.order} onRetry={() => onChange({ ...question, order: null })} />}
      <AnswerPart {...{ query, question, isAskable }} onOrder={(order) => onChange({ ...question, order })} />
      {isAskable && !query.error && <SameQuestion body={query.body} />}
    </>
  )
}

/** Offers the most frequent questions, each with one click, and the subjects for a question of one's own. */
function Starts({ descriptors, onAsk }: { descriptors: readonly Descriptor[]; onAsk: (question: Question) => void }) {
  const { explore } = useWords()
  const shown = useShownFigures()
  const now = today(useSession().clinic.time_zone)
  const begin = (name: string) => {
    const descriptor = descriptors.find((one) => one.name === name)
    if (descriptor) onAsk(questionAbout(descriptor, namedRange('month', now)))
  }
  return (
    <Stack gap="lg">
      <section aria-label={explore.starts}>
        <Title order={2} size="h4" mb="sm">
          {explore.starts}
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
          {STARTS.map((name) => (
            <Button
              key={name}
              component="a"
              variant="default"
              size="lg"
              className="start"
              justify="flex-start"
              {...linkTo('explore', undefined, searchText(startingQuestion(name, now)))}
            >
              {explore.start[name]}
            </Button>
          ))}
        </SimpleGrid>
      </section>
      <Card withBorder padding="lg">
        <NativeSelect
          maw={360}
          label={explore.own}
          value=""
          onChange={({ currentTarget }) => begin(currentTarget.value)}
          data={[
            { value: '', label: explore.chooseSubject },
            ...descriptors.map(({ name }) => ({ value: name, label: shown.dataset(name) })),
          ]}
        />
      </Card>
    </Stack>
  )
}

function searchText(question: Question): string {
  const filled = Object.entries(searchOf(question)).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `?${new URLSearchParams(filled)}`
}
