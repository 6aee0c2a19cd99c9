// Analytics of a clinic with 1,000,000 treatments: the API and the best SQL for the same question, alternating in one run. Also the
// effect of four analytics clients on everybody else.
//
//   node bench/analytics.ts [seconds a run] [beside]    needs wrk (Debian package wrk); makes its clinic once, in .data/bench-analytics.
// `beside` measures the effect on others only.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '@clinic-data/database'
import { Client } from 'pg'
import { request } from 'undici'
import { analyticsClinic } from './analytics-clinic.ts'
import { questions } from './analytics-questions.ts'
import { benchKey } from './bench-clinic.ts'
import { openBenchDatabase } from './bench-database.ts'
import { report } from './goal.ts'
import { answering, type Served, serve } from './served.ts'
import { load, median } from './wrk.ts'

const ROUNDS = 15
const seconds = Number(process.argv[2] ?? 5)
const root = dirname(import.meta.dirname)
const ours = 'http://127.0.0.1:18480'
const CLINIC = 'bench'
/** A process that has just started is still compiling, which is not measured here. */
const SETTLING_MS = 3000

const dataDir = join(root, '.data', 'bench-analytics')
const { server, owner, close } = await openBenchDatabase(dataDir)
let service: Served | undefined
try {
  const clinic = await analyticsClinic(owner, CLINIC)
  await owner.query(sql`vacuum analyze`)
  const key = await benchKey(owner, clinic, ['patients:read', 'payments:read', 'analytics:read'])
  service = serve({ DATABASE_URL: server.ownerUrl, PORT: '18480', ADMIN_PORT: '18481' })
  await answering(`${ours}/readyz`, service)
  await delay(SETTLING_MS)
  if (process.argv[3] !== 'beside') await compare(key, clinic.time_zone)
  await besideOthers(key)
} finally {
  await service?.stop()
  await close()
}

async function query(key: string, body: unknown): Promise<{ data: { totals: Record<string, number> } }> {
  const { statusCode, body: answer } = await request(`${ours}/v1/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (statusCode !== 200) throw new Error(`${statusCode} ${await answer.text()}`)
  return (await answer.json()) as { data: { totals: Record<string, number> } }
}

/**
 * Alternates both, so that a change of the machine's speed affects both. The SQL runs as the program's role, prepared for its
 * values.
 */
async function compare(key: string, timeZone: string): Promise<void> {
  const settings = `-c jit=off -c work_mem=32MB -c random_page_cost=1.1 -c timezone=${timeZone} -c app.clinic_id=${CLINIC}`
  const client = new Client({ connectionString: server.appUrl, options: settings })
  await client.connect()
  client.on('error', () => undefined)
  process.stdout.write(
    '| question | API (ms) | best SQL (ms) | ratio | above 1.15 times by (ms) |\n|---|---|---|---|---|\n',
  )
  for (const { name, body, best, total } of questions(CLINIC)) {
    const pairs: [number, number][] = []
    for (let round = -2; round < ROUNDS; round++) {
      const startedAt = performance.now()
      const { data } = await query(key, body)
      const answered = performance.now()
      const { rows } = await client.query(best)
      const done = performance.now()
      const [measure = ''] = body.measures
      if (Math.abs(Number(rows[0][total]) - Number(data.totals[measure])) > 0.01)
        throw new Error(`${name}: another answer`)
      if (round >= 0) pairs.push([answered - startedAt, done - answered])
    }
    const [api, hand] = [median(pairs.map(([a]) => a)), median(pairs.map(([, b]) => b))]
    const ratio = median(pairs.map(([a, b]) => a / b))
    process.stdout.write(
      `| ${name} | ${api.toFixed(1)} | ${hand.toFixed(1)} | ${ratio.toFixed(2)} | ${(api - 1.15 * hand).toFixed(1)} |\n`,
    )
  }
  await client.end()
}

/** Measures reads of one patient, first alone and then while four clients run one aggregation after the other. */
async function besideOthers(key: string): Promise<void> {
  const path = `${ours}/v1/patients/patient-77`
  const measure = () => load({ url: path, key, connections: 4, seconds })
  measure()
  const quiet = measure()
  const asker = spawn(process.execPath, [join(root, 'bench', 'analytics-clients.ts'), ours, String(seconds + 2)], {
    env: { ...process.env, BENCH_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await delay(1000)
  const busy = measure()
  const output = await new Response(asker.stdout as never).text()
  process.stdout.write(
    `\nGET /v1/patients/{id}, 4 connections: p50, p99 ${quiet.p50Ms.toFixed(1)}, ${quiet.p99Ms.toFixed(1)} ms quiet (${Math.round(quiet.requestsPerSecond)}/s); ${busy.p50Ms.toFixed(1)}, ${busy.p99Ms.toFixed(1)} ms beside four analytics clients (${Math.round(busy.requestsPerSecond)}/s), which had ${output.trim()}\np99 ratio ${(busy.p99Ms / quiet.p99Ms).toFixed(2)}\n`,
  )
  report({
    name: 'GET /v1/patients/{id}, p99 beside four analytics clients',
    value: busy.p99Ms / quiet.p99Ms,
    unit: '×',
    limit: { atMost: 2 },
    opponent: 'the same, quiet',
  })
}
