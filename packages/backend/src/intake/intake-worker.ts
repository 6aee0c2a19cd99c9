// The intake's thread (intake-thread.ts): the intake, over its own database.
import { parentPort, workerData } from 'node:worker_threads'
import { Problem } from '@clinic-data/contract'
import { type Database, type DatabaseOptions, openDatabase } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import { STORED_AT_ONCE } from './ingest-lines.ts'
import { type Intake, intake } from './intake.ts'
import type { IntakeMessage, IntakeRequest } from './intake-thread.ts'

const options = workerData as Pick<DatabaseOptions, 'url' | 'ownerUrl'>
const port = parentPort
if (port === null) throw new Error('this file is started as a thread')
const tell = (message: IntakeMessage) => port.postMessage(message)

interface Opened {
  database: Database
  intake: Intake
}

let opened: Opened | undefined
let opening: Promise<Opened> | undefined

async function open(): Promise<Opened> {
  const database = await openDatabase({
    ...options,
    readConnections: 1,
    writeConnections: STORED_AT_ONCE,
    scanConnections: 1,
    onError: (error) => tell({ kind: 'broken', cause: described(error) }),
  })
  const onDeliveriesDue = (clinic_id: string) => tell({ kind: 'due', clinic_id })
  opened = { database, intake: intake({ database, now: () => new Date(), onDeliveriesDue }) }
  return opened
}

/** After a failure it is opened with the next body. */
const openedOnce = tellingOutages(async (): Promise<Opened> => {
  if (opened !== undefined) return opened
  opening ??= open().finally(() => {
    opening = undefined
  })
  return opening
})

const underWay = new Set<Promise<void>>()

port.on('message', (message: IntakeRequest) => {
  if (message === 'end') {
    void end()
    return
  }
  const working = (message === 'open' ? prepare() : take(message)).finally(() => underWay.delete(working))
  underWay.add(working)
})

/** A failure is told to the body that meets it. */
async function prepare(): Promise<void> {
  await openedOnce().catch(() => undefined)
}

async function take({ id, asking, body }: Exclude<IntakeRequest, string>): Promise<void> {
  try {
    const ready = await openedOnce()
    tell({ kind: 'answered', id, answered: await ready.intake.take(asking, body) })
  } catch (error) {
    tell(refusalOf(id, error))
  }
}

async function end(): Promise<void> {
  await Promise.all(underWay)
  await opened?.database.close()
  port?.close()
}

function refusalOf(id: number, error: unknown): IntakeMessage {
  if (!(error instanceof Problem)) return { kind: 'failed', id, cause: described(error) }
  const { slug, message: detail, members, cause } = error
  return { kind: 'refused', id, slug, detail, members, cause: cause === undefined ? null : described(cause) }
}

/** Only the error's message: its properties may hold data that must not be logged. */
function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : 'unknown'
}
