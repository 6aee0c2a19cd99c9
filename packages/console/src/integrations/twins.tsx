// Says that several integrations share a name, as a former version allowed, and offers to merge them.

import type { Integration } from '@clinic-data/console-parts/api'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { foldLabel } from '@clinic-data/contract/folded-name'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMay } from '../roles.ts'
import { JoinDialog } from './join-dialog.tsx'

interface Pair {
  kept: Integration
  other: Integration
}

/** @param of the one whose page it is. */
export function Twins({ all, of }: { all: readonly Integration[]; of?: string }) {
  const { joining } = useIntegrationWords().integrations
  const may = useMay()
  const merging = useOpened<Pair>()
  return (
    <>
      {twinsIn(all)
        .filter(({ kept, other }) => of === undefined || of === kept.id || of === other.id)
        .map((pair) => (
          <Alert key={pair.other.id} color="orange" variant="outline" role="note" c="var(--console-warning)">
            <Stack gap="sm" align="flex-start">
              <Text fw={600}>{joining.twins(pair.kept.name)}</Text>
              <Text>{joining.twinsText}</Text>
              {may('mergeIntegration') && (
                <Button variant="default" onClick={() => merging.open(pair)}>
                  {joining.submit}
                </Button>
              )}
            </Stack>
          </Alert>
        ))}
      <JoinDialog
        integration={merging.opened?.kept ?? null}
        other={merging.opened?.other.id}
        onClose={merging.closing(merging.opened)}
      />
    </>
  )
}

/** The oldest of each name is kept, and the others are merged into it one by one. */
function twinsIn(all: readonly Integration[]): Pair[] {
  const byName = Map.groupBy(all, ({ name }) => foldLabel(name))
  return [...byName.values()].flatMap((alike) => {
    const [kept, other] = alike.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
    return kept && other ? [{ kept, other }] : []
  })
}
