// Which rules stop the integration of the key that they called. An owner chooses, and is asked first what that means.

import { api, type StopRule } from '@clinic-data/console-parts/api'
import { ALERTS } from '@clinic-data/console-parts/requests/query-client'
import { AskFirst } from '@clinic-data/console-parts/shown/ask-first'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Checkbox, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMay } from '../roles.ts'

/** Below the alerts, so that both are read again together. */
const RULES = [...ALERTS, 'stop rules']

export function StopRules() {
  const { alerts } = useIntegrationWords()
  const words = alerts.stops
  const client = useQueryClient()
  const read = useQuery({ queryKey: RULES, queryFn: api.stopRules })
  const choosing = useOpened<StopRule>()
  const chosen = choosing.opened
  const isOn = chosen?.chosen_at === null
  const set = async () => {
    if (chosen !== null) await api.setStopRule({ rule: chosen.rule, stops: isOn })
    await client.invalidateQueries({ queryKey: RULES })
  }
  const rules = read.data ?? []
  return (
    <Card withBorder padding="lg" component="section" aria-label={words.title} className="stop-rules">
      <Failure error={read.error} onRetry={() => read.refetch()} />
      <details>
        <summary>
          {words.title}: {words.number(rules.filter(({ chosen_at }) => chosen_at !== null).length)}
        </summary>
        <Stack gap="md" mt="md">
          <Text c="dimmed">{words.text}</Text>
          {rules.map((one) => (
            <Rule key={one.rule} of={one} onChoose={() => choosing.open(one)} />
          ))}
        </Stack>
      </details>
      <AskFirst
        title={chosen && (isOn ? words.on : words.off)(alerts.rules[chosen.rule])}
        submit={isOn ? words.onSubmit : words.offSubmit}
        act={set}
        onClose={choosing.closing(chosen)}
      >
        <Text>{isOn ? words.onText : words.offText}</Text>
      </AskFirst>
    </Card>
  )
}

function Rule({ of: { rule, chosen_at, chosen_by }, onChoose }: { of: StopRule; onChoose: () => void }) {
  const { alerts } = useIntegrationWords()
  const words = alerts.stops
  const times = useTimes()
  const mayChoose = useMay()('setStopRule')
  const since = chosen_at === null ? words.onlyTells : words.by(times.moment(chosen_at), chosen_by?.name ?? '')
  return (
    <Checkbox
      label={alerts.rules[rule]}
      description={since}
      checked={chosen_at !== null}
      disabled={!mayChoose}
      onChange={onChoose}
    />
  )
}
