// The thread of `packing-thread.ts`: one round, over its own database.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '@clinic-data/database'
import { packDays } from './pack-days.ts'
import type { PackingWork } from './packing-thread.ts'

const { ownerUrl, now } = workerData as PackingWork
const port = parentPort
if (port === null) throw new Error('this file is started as a thread')
const stopping = new AbortController()
port.once('message', () => stopping.abort())
try {
  const owner = await openDatabase({ url: ownerUrl, readConnections: 1, writeConnections: 1, statementTimeoutMs: 0 })
  try {
    // Texts and stacks of errors cross, and no other property: one may hold data that must not be logged.
    port.postMessage(await packDays(owner, now, stopping.signal))
  } finally {
    await owner.close()
  }
} finally {
  port.close()
}
