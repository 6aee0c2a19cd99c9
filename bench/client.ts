// The cost of the SDK: its requests per second compared with plain `fetch` and `JSON.parse`, alternating in one process, with the
// server in another.
//
//   node bench/client.ts [rounds]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ClinicDataClient } from '@clinic-data/client'
import { allOperations } from '@clinic-data/contract'
import { exampleAnswer } from '@clinic-data/contract/projections/example-answer'
import { median } from './wrk.ts'

/** Short, so that a change of the machine's speed affects both. */
const TURN_MS = 250
const rounds = Number(process.argv[2] ?? 40)

/** The first rounds compile the code. */
const WARMING = 4

const answers: Readonly<Record<string, string>> = {
  '/v1/patients/p1042': JSON.stringify(example('patients.get')),
  '/v1/appointments?from=2026-07-14': JSON.stringify(example('appointments.list', 25)),
}

/** An operation's documented answer. A list has this many rows. */
function example(id: string, rows = 1): object {
  const operation = allOperations.find((one) => one.id === id)
  if (!operation) throw new Error(`there is no operation ${id}`)
  const answer = exampleAnswer(operation) as { data: unknown }
  return rows === 1 ? answer : { ...answer, data: Array.from({ length: rows }, () => (answer.data as unknown[])[0]) }
}

if (process.send) await serve()
else await compare()

/** Runs the server in its own process, with ready answers, so that only the client is measured. */
async function serve(): Promise<void> {
  const bodies = new Map(Object.entries(answers).map(([path, body]) => [path, Buffer.from(body)]))
  const server = createServer((request, response) => {
    const body = bodies.get(request.url ?? '')
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_bench' }
    response.writeHead(body ? 200 : 404, { ...headers, 'content-length': body?.length ?? 0 }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  process.send?.((server.address() as AddressInfo).port)
}

async function compare(): Promise<void> {
  const server = fork(import.meta.filename)
  const [port] = await once(server, 'message')
  const baseUrl = `http://127.0.0.1:${port}`
  const apiKey = 'sk_live_bench'
  const client = new ClinicDataClient({ apiKey, baseUrl })
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` }
  const plain = (path: string) => async () => JSON.parse(await (await fetch(baseUrl + path, { headers })).text())
  const [patient = '', appointments = ''] = Object.keys(answers)
  const calls: [name: string, sdk: () => PromiseLike<unknown>, plain: () => Promise<unknown>][] = [
    ['one patient', () => client.patients.get('p1042'), plain(patient)],
    ['25 appointments', () => client.appointments.list({ from: '2026-07-14' }), plain(appointments)],
  ]
  process.stdout.write('| request | at once | SDK, requests/s | fetch, requests/s | ratio |\n|---|---|---|---|---|\n')
  for (const [name, bySdk, byFetch] of calls) {
    for (const atOnce of [1, 16]) {
      const [ours, theirs]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds + WARMING; round++) {
        const turns = [
          async () => ours.push(await rate(bySdk, atOnce)),
          async () => theirs.push(await rate(byFetch, atOnce)),
        ]
        for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
      }
      for (const rates of [ours, theirs]) rates.splice(0, WARMING)
      const ratio = median(ours.map((one, i) => one / (theirs[i] ?? one)))
      const cells = [name, atOnce, Math.round(median(ours)), Math.round(median(theirs)), `${Math.round(ratio * 100)} %`]
      process.stdout.write(`| ${cells.join(' | ')} |\n`)
    }
  }
  server.kill()
}

/** Calls per second of this many callers. Each one calls again when it has its answer. */
async function rate(call: () => PromiseLike<unknown>, atOnce: number): Promise<number> {
  const until = performance.now() + TURN_MS
  let count = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        await call()
        count++
      }
    }),
  )
  return (count / (performance.now() - startedAt)) * 1000
}
