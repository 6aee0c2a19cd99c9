// How everybody must sign in. A demand holds others at once: it is asked first, with how many have no such way yet.

import { signInDemands } from '@clinic-data/console-contract/sign-in-demand'
import { api, type BodyOf, type Person, type SignInRule } from '@clinic-data/console-parts/api'
import { PEOPLE } from '@clinic-data/console-parts/requests/query-client'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { Card, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useProvider } from '../provider.ts'

type Demand = SignInRule['demand']

/** Below the people, so that it is read again when one of these changes. */
const RULE = [...PEOPLE, 'sign-in rule']

export function SignInRuleCard({ people }: { people: readonly Person[] }) {
  const { signInRule: words } = usePeopleWords()
  const client = useQueryClient()
  const read = useQuery({ queryKey: RULE, queryFn: api.signInRule })
  const choosing = useOpened<BodyOf<'setSignInRule'>>()
  const body = choosing.opened
  const chosen = body?.demand ?? null
  const provider = useProvider()?.name ?? words.provider
  const { demand = 'any', offered = [], met = [] } = read.data ?? {}
  const nameOf = (one: Demand) => (one === 'provider' ? words.demands.provider(provider) : words.demands[one])
  // A demand from before the provider was taken away is shown, too.
  const shown = signInDemands.filter((one) => offered.includes(one) || one === demand)
  const set = async () => {
    try {
      if (body !== null) await api.setSignInRule(body)
    } finally {
      await client.invalidateQueries({ queryKey: PEOPLE })
    }
  }
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title}>
      <Failure error={read.error} onRetry={() => read.refetch()} />
      <NativeSelect
        label={words.title}
        description={words.text}
        value={demand}
        disabled={read.data === undefined}
        data={shown.map((value) => ({
          value,
          label: nameOf(value),
          disabled: value !== demand && !met.includes(value),
        }))}
        onChange={({ currentTarget }) => {
          const value = signInDemands.find((one) => one === currentTarget.value)
          if (value !== undefined) choosing.open({ demand: value, known: { demand } })
        }}
      />
      {met.length < offered.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {words.notMet}
        </Text>
      )}
      <AskFirst
        title={chosen && nameOf(chosen)}
        submit={chosen === 'any' ? words.loosen : words.submit}
        conflict={words.notMet}
        act={set}
        onClose={choosing.closing(body)}
      >
        {chosen !== null && <Effect demand={chosen} people={people} provider={provider} />}
      </AskFirst>
    </Card>
  )
}

function Effect({ demand, people, provider }: { demand: Demand; people: readonly Person[]; provider: string }) {
  const { signInRule: words } = usePeopleWords()
  if (demand === 'any') return <Text>{words.loosens}</Text>
  const able = people.filter(({ disabled_at }) => disabled_at === null)
  const without = able.filter(({ ways_in }) =>
    demand === 'passkey' ? ways_in.passkeys === 0 : !ways_in.provider,
  ).length
  return (
    <Stack gap="xs">
      <Text>{words.holds[demand]}</Text>
      {without > 0 && <Text>{demand === 'passkey' ? words.without(without) : words.unbound(without, provider)}</Text>}
    </Stack>
  )
}
