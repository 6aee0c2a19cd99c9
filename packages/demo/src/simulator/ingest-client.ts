// The client of the ingest API that the simulator uses, as a clinic's own systems would.
import { setTimeout as delay } from 'node:timers/promises'

export type RecordOutcome = { id: string; outcome: 'created' | 'updated' | 'unchanged' }

export interface IngestClient {
  /** Sends one record. @throws when it is refused. */
  send(path: string, record: object): Promise<RecordOutcome>
  /** Sends records in batches of up to 1,000. */
  sendAll(path: string, records: readonly object[]): Promise<RecordOutcome[]>
  /** Uploads a file. @returns its id. */
  upload(content: Uint8Array, contentType: string, fileName: string): Promise<string>
}

const BATCH = 1_000
/** Long enough for a restart of the service. Sending the same again is safe. */
const TRIES = 30
const PAUSE_MS = 1_000
const TIMEOUT_MS = 60_000
const RATE_LIMITED = 429

/** The service refused a record. The message holds its answer, which quotes nothing of the record. */
export class Refused extends Error {}

export function ingestClient(baseUrl: string, token: string): IngestClient {
  const post = async (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) => {
    for (let tried = 1; ; tried++) {
      const answer = await fetch(`${baseUrl}/ingest/v1${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, ...headers },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => error as Error)
      let pauseMs = PAUSE_MS
      if (!(answer instanceof Error)) {
        const text = await answer.text().catch(() => '')
        if (answer.ok) return JSON.parse(text).data
        if (answer.status < 500 && answer.status !== RATE_LIMITED)
          throw new Refused(`${path}: ${answer.status} ${text.slice(0, 500)}`)
        pauseMs = Math.max(PAUSE_MS, Number(answer.headers.get('retry-after')) * 1_000)
        if (tried === TRIES) throw new Refused(`${path}: ${answer.status} after ${TRIES} tries`)
      } else if (tried === TRIES) throw answer
      await delay(pauseMs)
    }
  }
  const json = { 'content-type': 'application/json' }
  return {
    send: (path, record) => post(path, JSON.stringify(record), json),
    sendAll: async (path, records) => {
      const outcomes: RecordOutcome[] = []
      for (let at = 0; at < records.length; at += BATCH) {
        const batch = { records: records.slice(at, at + BATCH) }
        outcomes.push(...((await post(path, JSON.stringify(batch), json)) as RecordOutcome[]))
      }
      return outcomes
    },
    upload: async (content, contentType, fileName) => {
      const headers = { 'content-type': contentType, 'x-file-name': encodeURIComponent(fileName) }
      return (await post('/files', new Uint8Array(content), headers)).id
    },
  }
}
