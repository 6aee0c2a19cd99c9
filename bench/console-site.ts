// A console to measure: the service on the benches' own database, and a signed-in browser beside it. What is measured is told as rows of a
// table.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdministrator, makeSignInLink, signInAddress } from '@clinic-data/backend/console/administrators'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { parseSecretKeys, type SecretKeys } from '@clinic-data/contract/secret-keys'
import { type Database, openDatabase } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { migrate } from '@clinic-data/database/schema/migrate'
import { chromiumProgram, Tab } from '../test/chromium.ts'

const root = dirname(import.meta.dirname)
/** The same for each run, because the clinic is kept, with what is sealed under it. It protects nothing else. */
const SECRET_KEYS = `bench:${Buffer.alloc(32).toString('base64')}`
const PORTS = { PORT: '18480', ADMIN_PORT: '18481' }
const ADDRESS = `http://127.0.0.1:${PORTS.ADMIN_PORT}`

export interface ConsoleSite {
  readonly address: string
  readonly tab: Tab
  close(): Promise<void>
}

/** Opens the console of the clinic that `fill` makes in .data/bench, or finds there. */
export async function openConsoleSite(
  fill: (owner: Database, keys: SecretKeys) => Promise<{ clinic_id: string }>,
): Promise<ConsoleSite> {
  const program = chromiumProgram()
  if (program === null) throw new Error('there is no Chromium on this machine')
  const server = await startEmbeddedPostgres({ dataDir: join(root, '.data', 'bench'), log: () => undefined })
  const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
  await migrate(owner, migrations, { tables, log: () => undefined })
  const { clinic_id } = await fill(owner, parseSecretKeys(SECRET_KEYS))
  const service = await startService({ DATABASE_URL: server.appUrl, DATABASE_OWNER_URL: server.ownerUrl })
  const tab = await Tab.open(program)
  const now = new Date()
  const email = `bench-${now.getTime()}@clinic.example`
  const { id } = await createAdministrator(owner, { clinic_id, email, name: 'Measuring', now })
  await tab.visit(signInAddress(ADDRESS, (await makeSignInLink(owner, { clinic_id, id, now })).token))
  await tab.until(`document.querySelector('nav a')`)
  return {
    ...{ address: ADDRESS, tab },
    async close() {
      await tab.close()
      service.kill('SIGTERM')
      await once(service, 'exit')
      await owner.close()
      await server.stop()
    },
  }
}

async function startService(databases: Record<string, string>): Promise<ChildProcess> {
  const env = { ...process.env, ...PORTS, ...databases, SECRET_KEYS }
  const program = join(root, 'packages', 'server', 'bin', 'clinicd.mjs')
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: 'ignore' })
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(`${ADDRESS}/console/`).catch(() => null)) return child
    await delay(100)
  }
  throw new Error('the service does not answer')
}

const ASKED = 20
/** Asked before: a service that has just started is still compiling. */
const WARM = 10

/** Asks each path below `/console/api/`, by its name. @returns the worst time of each. */
export async function measureOperations(tab: Tab, paths: Readonly<Record<string, string>>): Promise<number[]> {
  const worst: number[] = []
  for (const [name, path] of Object.entries(paths)) {
    const times = await tab.run<number[]>(`(async () => {
      const times = []
      for (let n = -${WARM}; n < ${ASKED}; n++) {
        const startedAt = performance.now()
        const answer = await fetch('/console/api/${path}')
        await answer.json()
        if (!answer.ok) throw new Error('it answered ' + answer.status)
        if (n >= 0) times.push(performance.now() - startedAt)
      }
      return times
    })()`)
    worst.push(tell(name, times))
  }
  return worst
}

/** Marks the shown rows as old, acts, and takes the time to the frame after which the answer is shown. */
export function timed(rows: string, action: string, until: string): string {
  return `new Promise((done) => {
    for (const row of document.querySelectorAll('${rows}')) row.dataset.old = ''
    const startedAt = performance.now()
    const look = () => (${until}) ? requestAnimationFrame(() => done(performance.now() - startedAt)) : requestAnimationFrame(look)
    ;${action}
    look()
  })`
}

/** Chooses a value of a select, as a hand does. */
export function choosing(selects: string, place: number, value: string): string {
  return `{
    const field = document.querySelectorAll('${selects}')[${place}]
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(field, '${value}')
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }`
}

/** Prints a row of the table. @returns the worst. */
export function tell(name: string, times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  const [median, worst] = [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
  process.stdout.write(`| ${name} | ${median.toFixed(0)} | ${worst.toFixed(0)} |\n`)
  return worst
}
