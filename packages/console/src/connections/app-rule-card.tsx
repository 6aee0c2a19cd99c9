// The clinic's own rule about apps. A stricter one ends connections: it is asked first, with how many.

import { type AppRule, api, type BodyOf } from '@clinic-data/console-parts/api'
import { CONNECTIONS } from '@clinic-data/console-parts/requests/query-client'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { Card, NativeSelect, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'

type Rule = AppRule['allowed']

const RULES: readonly Rule[] = ['any', 'verified', 'none']
/** Below the connections, so that it is read again when one of these changes. */
const RULE = [...CONNECTIONS, 'rule']

export function AppRuleCard() {
  const { rule: words } = useAppWords().connections
  const client = useQueryClient()
  const read = useQuery({ queryKey: RULE, queryFn: api.appRule })
  const choosing = useOpened<BodyOf<'setAppRule'>>()
  const body = choosing.opened
  const chosen = body?.allowed ?? null
  const set = async () => {
    try {
      if (body !== null) await api.setAppRule(body)
    } finally {
      await client.invalidateQueries({ queryKey: CONNECTIONS })
    }
  }
  const ends = chosen === null || chosen === 'any' ? 0 : (read.data?.would_end[chosen] ?? 0)
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <Failure error={read.error} onRetry={() => read.refetch()} />
      <NativeSelect
        label={words.title}
        description={words.text}
        value={read.data?.allowed ?? 'any'}
        disabled={read.data === undefined}
        data={RULES.map((value) => ({ value, label: words.rules[value] }))}
        onChange={({ currentTarget }) => {
          const value = RULES.find((one) => one === currentTarget.value)
          if (value !== undefined && read.data !== undefined)
            choosing.open({ allowed: value, known: { allowed: read.data.allowed } })
        }}
      />
      <AskFirst title={chosen && words.rules[chosen]} submit={words.submit} act={set} onClose={choosing.closing(body)}>
        <Text>{ends === 0 ? words.endsNone : words.ends(ends)}</Text>
      </AskFirst>
    </Card>
  )
}
