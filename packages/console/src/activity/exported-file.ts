// Takes an export of the activity as it arrives. What ends without its last line was cut off, and is no file.

import type { ActivityExportEnd } from '@clinic-data/console-contract/console-activity'
import { places } from '@clinic-data/console-contract/console-places'
import type { ActivityRow, BodyOf } from '@clinic-data/console-parts/api'
import { answerTo } from '@clinic-data/console-parts/requests/ask'
import { UnreachableError } from '@clinic-data/console-parts/requests/refusal'

/** Smaller pieces would be objects of the page; the browser may keep these on the disk. */
const PIECE_BYTES = 4 * 1024 * 1024

interface Taking {
  signal: AbortSignal
  onBytes: (bytes: number) => void
}

/** @throws RefusedError | UnreachableError */
export async function takeProof(body: BodyOf<'exportActivity'>, taking: Taking): Promise<Blob> {
  const pieces: Blob[] = []
  let [parts, size, end]: [Uint8Array<ArrayBuffer>[], number, string] = [[], 0, '']
  for await (const part of bytesOf(body, taking)) {
    parts.push(part)
    size += part.length
    end = (end + new TextDecoder().decode(part)).slice(-LONGEST_END)
    if (size < PIECE_BYTES) continue
    pieces.push(new Blob(parts))
    parts = []
    size = 0
  }
  if (!/\n\{"type":"end",.*\}\n$/.test(end)) throw cutOff()
  return new Blob([...pieces, ...parts], { type: 'application/x-ndjson' })
}

/** The last line of a proof is some hundred characters. */
const LONGEST_END = 1_000

/** @returns what the last line says of them. @throws RefusedError | UnreachableError */
export async function takeRows(
  body: BodyOf<'exportActivity'>,
  onRow: (row: ActivityRow) => void,
  taking: Taking,
): Promise<ActivityExportEnd['end']> {
  const decoder = new TextDecoder()
  let [rest, rows] = ['', 0]
  let end: ActivityExportEnd['end'] | undefined
  for await (const part of bytesOf(body, taking)) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const read = JSON.parse(line) as ActivityRow | ActivityExportEnd
      if ('end' in read) end = read.end
      else {
        onRow(read)
        rows++
      }
    }
  }
  if (end?.rows !== rows || rest !== '') throw cutOff()
  return end
}

async function* bytesOf(body: BodyOf<'exportActivity'>, { signal, onBytes }: Taking) {
  const [method, path] = places.exportActivity
  const { body: stream } = await answerTo(path, { method, body, signal, isFile: true })
  const reader = stream?.getReader()
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return
      bytes += value.length
      onBytes(bytes)
      yield value
    }
  } catch (error) {
    throw signal.aborted ? error : cutOff(error)
  }
}

const cutOff = (cause?: unknown) => new UnreachableError('half an export', { cause })
