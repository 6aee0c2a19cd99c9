// Four analytics clients, each of which always has one query running. analytics.ts runs them in a separate process.
//
//   BENCH_KEY=… node bench/analytics-clients.ts <address> <seconds>
import { questions } from './analytics-questions.ts'

const CLIENTS = 4
const [address = '', seconds = '5'] = process.argv.slice(2)
const until = performance.now() + Number(seconds) * 1000
const bodies = questions('').map(({ body }) => JSON.stringify(body))
const headers = { authorization: `Bearer ${process.env.BENCH_KEY}`, 'content-type': 'application/json' }
const statuses = new Map<number, number>()

async function ask(first: number): Promise<void> {
  for (let n = first; performance.now() < until; n++) {
    const { status, body } = await fetch(`${address}/v1/query`, {
      method: 'POST',
      headers,
      body: bodies[n % bodies.length] ?? '',
    })
    await body?.cancel()
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, n) => ask(n * 3)))
process.stdout.write([...statuses].map(([status, times]) => `${times} answers of ${status}`).join(', '))
