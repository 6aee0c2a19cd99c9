// Exports what the filters show: a button, and the dialog in which the form of the file is chosen.

import type { BodyOf } from '@clinic-data/console-parts/api'
import { failureText } from '@clinic-data/console-parts/requests/failure-text'
import { hasStatus, RefusedError, UnreachableError } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { Dialog } from '@clinic-data/console-parts/shown/dialog'
import { Refused } from '@clinic-data/console-parts/shown/failure'
import { useActivityExportWords } from '@clinic-data/console-words/activity-export-words'
import { useWords } from '@clinic-data/console-words/language'
import { useOperationWords } from '@clinic-data/console-words/operation-words'
import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../explore/save-file.ts'
import { csvEnd, csvHead, csvLine } from './activity-csv.ts'
import { takeProof, takeRows } from './exported-file.ts'
import { type Filters, searchOf } from './use-activity.ts'

type Kind = BodyOf<'exportActivity'>['as']

export function ExportActivity({ filters }: { filters: Filters }) {
  const exportWords = useActivityExportWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="export">
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {exportWords.open}
      </Button>
      <Dialog title={exportWords.title} isOpen={isOpen} onClose={() => setOpen(false)} isForm>
        <ExportForm filters={filters} onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  )
}

function ExportForm({ filters, onClose }: { filters: Filters; onClose: () => void }) {
  const { cancel, close } = useWords()
  const exportWords = useActivityExportWords()
  const { kinds } = exportWords
  const [as, setAs] = useState<Kind>('rows')
  const { start, isPending, news, failure } = useExporting(filters, as)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <Stack gap="md">
        <Text>{exportWords.text}</Text>
        <Radio.Group label={exportWords.as} value={as} onChange={(chosen) => setAs(chosen as Kind)}>
          <Stack gap="sm" mt="xs">
            {(['rows', 'proof'] as const).map((kind) => (
              <Radio
                key={kind}
                value={kind}
                label={kinds[kind].name}
                description={kinds[kind].text}
                disabled={isPending}
                data-autofocus={kind === 'rows' || undefined}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Text size="sm" c="dimmed">
          {exportWords.personal}
        </Text>
        {failure !== null && <Refused text={failure} />}
        <Text role="status" size="sm" mih={20}>
          {news}
        </Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {isPending ? cancel : close}
          </Button>
          <Button type="submit" loading={isPending}>
            {exportWords.start}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const MEGABYTE = 1_000_000

/** A dialog that is closed meanwhile gives the export up, and the service stops. */
function useExporting(filters: Filters, as: Kind) {
  const words = useWords()
  const operations = useOperationWords()
  const exportWords = useActivityExportWords()
  const [bytes, setBytes] = useState(0)
  const leaving = useRef<AbortController>(null)
  useEffect(() => () => leaving.current?.abort(), [])
  const take = async () => {
    const controller = new AbortController()
    leaving.current = controller
    setBytes(0)
    const taking = { signal: controller.signal, onBytes: setBytes }
    const body = { as, ...searchOf(filters) }
    const day = new Date().toISOString().slice(0, 10)
    if (as === 'proof') {
      const name = `activity-${day}.ndjson`
      saveFile(name, await takeProof(body, taking))
      return exportWords.savedProof(name)
    }
    const name = `activity-${day}.csv`
    const csvWords = { words, operations, exportWords }
    const lines = [csvHead(csvWords)]
    const end = await takeRows(body, (row) => lines.push(csvLine(row, csvWords)), taking)
    saveFile(name, new Blob([...lines, csvEnd(csvWords, end)], { type: 'text/csv;charset=utf-8' }))
    return exportWords.savedRows(end.rows, name)
  }
  const { act: start, isPending, error, done } = useActing({ act: take })
  const progress = bytes === 0 ? exportWords.begun : exportWords.underWay(bytes / MEGABYTE)
  return { start, isPending, news: isPending ? progress : done, failure: useFailure(error) }
}

function useFailure(error: unknown): string | null {
  const words = useWords()
  const { busy, cut, tooMuch } = useActivityExportWords()
  if (hasStatus(error, 429)) return busy
  if (error instanceof UnreachableError) return cut
  const code = error instanceof RefusedError ? error.placedFaults[0]?.code : undefined
  return tooMuch[code ?? ''] ?? failureText(error, words)
}
