// A well-behaved client: one request after the other at a steady rate, in its own thread, so that the attacker in this process does
// not slow its clock.
//
//   const client = steadyClient({ url, key, localAddress: '127.0.0.2' })
//   const { p99 } = await client.stop()
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { parentPort, Worker, workerData } from 'node:worker_threads'

export interface SteadyOptions {
  url: string
  key?: string
  perSecond?: number
  /** On Linux every address of 127.0.0.0/8 is this machine's, so the client can use another one than the attacker. */
  localAddress?: string
}

/** Milliseconds from a request's due time to the end of its answer. */
export interface Steadiness {
  count: number
  p50: number
  p99: number
  worst: number
  /** The number of requests by status. 0 counts those without an answer. */
  statuses: Record<number, number>
}

interface Report {
  durations: number[]
  statuses: Record<number, number>
}

const PER_SECOND = 25
const GIVEN_UP_MS = 10_000

export function steadyClient(options: SteadyOptions): { stop(): Promise<Steadiness> } {
  const worker = new Worker(import.meta.filename, { workerData: options })
  let stopping: Promise<Steadiness> | null = null
  const stop = async () => {
    worker.postMessage('stop')
    const [report] = (await once(worker, 'message')) as [Report]
    await worker.terminate()
    return summary(report)
  }
  return {
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

function summary({ durations, statuses }: Report): Steadiness {
  const sorted = durations.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), worst: at(1), statuses }
}

function ask({ url, key, localAddress }: SteadyOptions, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const request = get(url, {
      agent,
      timeout: GIVEN_UP_MS,
      ...(localAddress ? { localAddress } : {}),
      headers: key ? { authorization: `Bearer ${key}` } : {},
    })
    request.on('response', (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', () => resolve(0))
      response.resume()
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(0))
  })
}

/** Runs in the thread. */
function run(options: SteadyOptions): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const report: Report = { durations: [], statuses: {} }
  const waiting = new Set<Promise<void>>()
  const startedAt = performance.now()
  let sent = 0
  const send = () => {
    const due = startedAt + (sent++ * 1000) / (options.perSecond ?? PER_SECOND)
    const asking: Promise<void> = ask(options, agent).then((status) => {
      report.durations.push(performance.now() - due)
      report.statuses[status] = (report.statuses[status] ?? 0) + 1
      waiting.delete(asking)
    })
    waiting.add(asking)
    timer = setTimeout(
      send,
      Math.max(0, startedAt + (sent * 1000) / (options.perSecond ?? PER_SECOND) - performance.now()),
    )
  }
  let timer = setTimeout(send, 0)
  parentPort?.once('message', async () => {
    clearTimeout(timer)
    await Promise.all(waiting)
    agent.destroy()
    parentPort?.postMessage(report)
  })
}

if (parentPort !== null && workerData !== null) run(workerData as SteadyOptions)
