// The answer as a table: names beside ids, figures aligned, totals below. A click on a heading asks for another order.

import { DownloadIcon } from '@clinic-data/console-parts/shown/icons'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Card, Group, Table, Text, Title, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { type Answered, shownValue, unitOf } from './charted.ts'
import { csvOf } from './csv.ts'
import type { By, Question } from './question.ts'
import { saveFile } from './save-file.ts'
import { useShownFigures } from './shown-figures.ts'

const CSV = 'text/csv;charset=utf-8'

/** A page of lines is drawn at once. */
const STEP = 100

interface AnswerTableProps {
  answered: Answered
  question: Question
  onOrder: (order: Question['order']) => void
}

export function AnswerTable({ answered, question, onOrder }: AnswerTableProps) {
  const { explore } = useWords()
  const shown = useShownFigures()
  const { answer, by, descriptor } = answered
  const [steps, setSteps] = useState(1)
  const rows = answer.rows.slice(0, steps * STEP)
  const header = (name: string, text: string, isFigure: boolean) => (
    <SortedHeading key={name} {...{ name, text, isFigure, onOrder }} order={question.order} />
  )
  return (
    <Card withBorder padding={0} component="section" aria-label={explore.table}>
      <Group justify="space-between" px="lg" py="md" gap="sm">
        <div>
          <Title order={2} size="h4">
            {explore.table}
          </Title>
          {answer.truncated && (
            <Text size="sm" c="dimmed">
              {explore.truncated(answer.rows.length, answer.group_count)}
            </Text>
          )}
        </div>
        <Button
          size="xs"
          variant="default"
          leftSection={<DownloadIcon size={16} />}
          onClick={useCsv(answered, question)}
        >
          {explore.csv}
        </Button>
      </Group>
      <div className="answer-scroll">
        <Table className="answer" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {by.map(({ field }) => header(field, shown.dimension(descriptor.name, field), false))}
              {answer.measures.map((name) => header(name, shown.measure(descriptor.name, name), true))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={JSON.stringify(by.map(({ field }) => row[field]))}>
                {by.map((one) => (
                  <Table.Td key={one.field}>
                    <bdi>{shownValue(row, one, shown)}</bdi>
                    {typeof row[`${one.field}_label`] === 'string' && <bdi className="answer-id">{row[one.field]}</bdi>}
                  </Table.Td>
                ))}
                {answer.measures.map((name) => (
                  <Table.Td key={name} className="figure">
                    {shown.figure(row[name], unitOf(descriptor, name), row.currency)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
          {by.length > 0 && <Totals answered={answered} />}
        </Table>
      </div>
      {rows.length < answer.rows.length && (
        <Group justify="center" p="md" gap="md">
          <Text size="sm" c="dimmed">
            {explore.shownOf(rows.length, answer.rows.length)}
          </Text>
          <Button size="xs" variant="default" onClick={() => setSteps(steps + 1)}>
            {explore.more}
          </Button>
        </Group>
      )}
    </Card>
  )
}

function Totals({ answered: { answer, by, descriptor } }: { answered: Answered }) {
  const { explore } = useWords()
  const shown = useShownFigures()
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th scope="row" colSpan={by.length}>
          {explore.totals(answer.group_count)}
        </Table.Th>
        {answer.measures.map((name) => (
          <Table.Td key={name} className="figure">
            {shown.figure(answer.totals[name], unitOf(descriptor, name))}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  )
}

interface HeadingProps {
  name: string
  text: string
  isFigure: boolean
  order: Question['order']
  onOrder: AnswerTableProps['onOrder']
}

/** Figures begin with the largest, names with the first. A second click turns the order round. */
function SortedHeading({ name, text, isFigure, order, onOrder }: HeadingProps) {
  const dir = order?.by === name ? order.dir : null
  const next = dir === null ? (isFigure ? 'desc' : 'asc') : dir === 'asc' ? 'desc' : 'asc'
  return (
    <Table.Th
      className={isFigure ? 'figure' : ''}
      aria-sort={dir === null ? 'none' : dir === 'asc' ? 'ascending' : 'descending'}
    >
      <UnstyledButton className="answer-sort" onClick={() => onOrder({ by: name, dir: next })}>
        {text}
        <span aria-hidden="true" className="answer-dir" data-dir={dir ?? next} data-on={dir !== null || undefined}>
          {(dir ?? next) === 'asc' ? '↑' : '↓'}
        </span>
      </UnstyledButton>
    </Table.Th>
  )
}

/** Exports the answer under the reader's headings: ids and names in columns of their own, figures as plain numbers. */
function useCsv({ answer, by, descriptor }: Answered, { dataset, from, to }: Question): () => void {
  const { explore } = useWords()
  const shown = useShownFigures()
  return () => {
    const isNamed = ({ field }: By) => answer.rows.some((row) => `${field}_label` in row)
    const header = by.flatMap((one) => {
      const name = shown.dimension(descriptor.name, one.field)
      return isNamed(one) ? [explore.idOf(name), name] : [name]
    })
    const measures = answer.measures.map((name) => shown.measure(descriptor.name, name))
    const rows = answer.rows.map((row) => [
      ...by.flatMap((one) => {
        const value = row[one.field] ?? null
        return isNamed(one) ? [value, row[`${one.field}_label`] ?? null] : [value]
      }),
      ...answer.measures.map((name) => row[name] ?? null),
    ])
    const name = [dataset, from, to].filter((part) => /^[\w-]+$/.test(part)).join('_')
    saveFile(`${name || 'answer'}.csv`, new Blob([csvOf([...header, ...measures], rows)], { type: CSV }))
  }
}
