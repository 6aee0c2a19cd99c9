// The filters of patients by their other records, with 100,000 patients: how long a page takes, by filter, under row level security.
//
//   node bench/patient-facts.ts [rounds]    makes the clinic of the analytics benchmark once, in .data/bench-analytics.
import { join } from 'node:path'
import { createBackend } from '@clinic-data/backend'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { openDatabase, sql } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { migrate } from '@clinic-data/database/schema/migrate'
import { ask } from '@clinic-data/testing/grounds/ask'
import { analyticsClinic } from './analytics-clinic.ts'

const rounds = Number(process.argv[2] ?? 40)
/** Some weeks before the last appointment: one patient in twenty has one ahead. */
const NOW = new Date('2025-12-15T08:00:00Z')

/** What nearly everybody meets, what some do, and what hardly anybody does. */
const questions: readonly Record<string, unknown>[] = [
  {},
  { birthday_from: '12-14', birthday_to: '12-20' },
  { birthday_from: '12-01', birthday_to: '12-31' },
  { birthday_from: '03-01', birthday_to: '08-31' },
  { has_future_appointment: true },
  { has_future_appointment: false },
  { last_visit_before: '2024-12-15' },
  { last_visit_before: '2021-06-01' },
  { last_visit_after: '2025-12-10' },
  { last_visit_after: '2025-09-01' },
  { last_payment_before: '2025-03-01' },
  { last_payment_before: '2021-06-01' },
  { last_payment_after: '2025-12-10' },
  { owes_more_than: 0 },
  { owes_more_than: 30_000 },
  { owes_more_than: 100_000 },
  { owes_more_than: 0, last_payment_before: '2025-03-01' },
  { owes_more_than: 0, has_future_appointment: false, last_visit_before: '2025-06-15' },
]

const report = (_: object, line: string) => process.stderr.write(`${line}\n`)
const dataDir = join(import.meta.dirname, '..', '.data', 'bench-analytics')
const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
const database = await openDatabase({ url: server.appUrl, ownerUrl: server.ownerUrl, statementTimeoutMs: 60_000 })
try {
  await migrate(owner, migrations, { tables, log: () => undefined })
  const clinic = await analyticsClinic(owner, 'bench')
  await owner.query(sql`vacuum analyze`)
  const backend = createBackend({ database, now: () => NOW, log: { warn: report, error: report } })
  process.stdout.write('     p50      p99     rows  question\n')
  for (const query of questions) {
    const times: number[] = []
    let rows = 0
    let after: readonly string[] | null = null
    for (let round = 0; round < rounds; round++) {
      const startedAt = performance.now()
      const answer: { data: readonly unknown[]; next: readonly string[] | null } = await ask(
        backend,
        clinic,
        'patients.list',
        { query, limit: 25, after },
      )
      times.push(performance.now() - startedAt)
      rows = Math.max(rows, answer.data.length)
      after = answer.next
      if ((times.at(-1) ?? 0) > 2000 && round > 2) break
    }
    times.sort((a, b) => a - b)
    const at = (share: number) =>
      (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1).padStart(8)
    process.stdout.write(`${at(0.5)} ${at(0.99)} ${String(rows).padStart(8)}  ${JSON.stringify(query)}\n`)
  }
} finally {
  await database.close()
  await owner.close()
  await server.stop()
}
