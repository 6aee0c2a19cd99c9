// Packs days of the audit log in a separate thread, which lives for a round: a segment takes some tenths of a second of a processor, and
// the deliveries of its process would wait for it.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Packing } from './pack-days.ts'

/** The thread has its own connections. */
export interface PackingWork {
  ownerUrl: string
  now: Date
}

/** As `packDays`. @throws (rejects) Error when the round could not begin, or its thread broke. */
export async function packInThread(work: PackingWork, stopping?: AbortSignal): Promise<Packing> {
  stopping?.throwIfAborted()
  const thread = new Worker(new URL('./packing-worker.ts', import.meta.url), {
    name: 'audit packing',
    workerData: work,
  })
  const stop = () => thread.postMessage('stop')
  stopping?.addEventListener('abort', stop)
  let packing: Packing | null = null
  thread.on('message', (message: Packing) => {
    packing = message
  })
  try {
    await once(thread, 'exit')
  } finally {
    stopping?.removeEventListener('abort', stop)
  }
  if (packing === null) throw new Error('the thread that packs the audit log has ended early')
  return packing
}
