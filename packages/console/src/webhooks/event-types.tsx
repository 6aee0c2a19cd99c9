// Which events a subscription wants: every one, or chosen ones, in groups, each in one plain sentence.

import { useWords } from '@clinic-data/console-words/language'
import type { EventType } from '@clinic-data/contract/event-types'
import { Checkbox, Input, Radio, SimpleGrid, Stack, Text } from '@mantine/core'

/** Null: every one. Undefined: nothing is chosen yet. */
export type Wanted = readonly EventType[] | null | undefined

interface EventTypesProps {
  wanted: Wanted
  onChange: (wanted: Wanted) => void
  fault: string | undefined
}

export function EventTypes({ wanted, onChange, fault }: EventTypesProps) {
  const { form, groups, types } = useWords().webhooks
  const all = Object.keys(types) as EventType[]
  const change = (type: EventType, isWanted: boolean) =>
    onChange(all.filter((one) => (one === type ? isWanted : wanted?.includes(one))))
  return (
    <>
      <Radio.Group
        label={form.which}
        error={wanted ? undefined : fault}
        value={wanted === null ? 'all' : wanted ? 'some' : null}
        onChange={(value) => onChange(value === 'all' ? null : [])}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
          <Radio className="choice" value="all" label={form.all[0]} description={form.all[1]} />
          <Radio className="choice" value="some" label={form.some[0]} description={form.some[1]} />
        </SimpleGrid>
      </Radio.Group>
      {wanted && (
        <Stack gap="md">
          {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
            <fieldset key={group} className="permissions">
              <Input.Label component="legend">{groups[group]}</Input.Label>
              {all
                .filter((type) => type.startsWith(`${group}.`))
                .map((type) => (
                  <Checkbox
                    key={type}
                    className="permission"
                    size="sm"
                    checked={wanted.includes(type)}
                    onChange={({ currentTarget }) => change(type, currentTarget.checked)}
                    label={
                      <>
                        {types[type]}{' '}
                        <Text span size="xs" c="dimmed" ff="monospace">
                          <bdi dir="ltr">{type}</bdi>
                        </Text>
                      </>
                    }
                  />
                ))}
            </fieldset>
          ))}
          {fault && <Input.Error>{fault}</Input.Error>}
        </Stack>
      )}
    </>
  )
}
