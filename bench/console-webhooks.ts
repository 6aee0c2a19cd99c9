// The webhooks of the console with 100,000 deliveries in the clinic: each operation over HTTP, and each interaction of the page in Chromium,
// from the click until the answer is shown.
//
//   node bench/console-webhooks.ts [deliveries]    makes the clinic once, in .data/bench
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdministrator, makeSignInLink, signInAddress } from '@clinic-data/backend/console/administrators'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { eventTypes } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { migrate } from '@clinic-data/database/schema/migrate'
import { chromiumProgram, Tab } from '../test/chromium.ts'
import { deliveringClinic, HOOKS } from './console-webhooks-ground.ts'
import { report } from './goal.ts'

const ROWS = Number(process.argv[2] ?? 100_000)
const ASKED = 10
/** Asked before: a service that has just started is still compiling. */
const WARM = 5
const ROUNDS = 5
const PORTS = { PORT: '18482', ADMIN_PORT: '18483' }
const ADDRESS = `http://127.0.0.1:${PORTS.ADMIN_PORT}`
const root = dirname(import.meta.dirname)
/** The same for each run, because the secrets are sealed under it. It protects nothing else. */
const SECRET_KEYS = `bench:${Buffer.alloc(32).toString('base64')}`
const RARE = eventTypes.at(-1) ?? ''

/** Filters that find much, little, and nothing. */
const FILTERS = ['', 'status=delivered', 'status=failed', 'status=pending', `event_type=${RARE}&status=delivered`]

const ROW = `document.querySelector('.delivery')`
/** Not of those that were shown before. */
const NEW_ROW = `document.querySelector('.delivery:not([data-old])')`
function clicking(text: string): string {
  return `[...document.querySelectorAll('button')].find((one) => one.textContent === '${text}').click()`
}

const STEPS: readonly [name: string, action: string, until: string][] = [
  ['open a webhook', `document.querySelector('.subscription-address').click()`, ROW],
  ['show more', clicking('Show more'), `document.querySelectorAll('.delivery').length === 50`],
  ['open a delivery', `${ROW}.click()`, `document.querySelector('.payload')`],
  ['close it', `document.querySelector('[role=dialog] button').click()`, `!document.querySelector('[role=dialog]')`],
  ['only what failed', choosing(0, 'failed'), `location.search.includes('failed') && ${NEW_ROW}`],
  ['only what waits', choosing(0, 'pending'), `location.search.includes('pending') && ${NEW_ROW}`],
  ['every state again', choosing(0, ''), `!location.search.includes('pending') && ${ROW}`],
  ['a rare event', choosing(1, RARE), `location.search.includes('${RARE}') && ${NEW_ROW}`],
  ['all webhooks', `document.querySelector('.back').click()`, `document.querySelector('.subscription .health')`],
]

const program = chromiumProgram()
if (program === null) throw new Error('there is no Chromium on this machine')
const server = await startEmbeddedPostgres({ dataDir: join(root, '.data', 'bench'), log: () => undefined })
const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
await migrate(owner, migrations, { tables, log: () => undefined })
const keys = signingKeys(parseSecretKeys(SECRET_KEYS), 'webhook-secret')
const clinic = await deliveringClinic(owner, ROWS, keys)
const service = await startService()
const tab = await Tab.open(program)
try {
  await signIn()
  process.stdout.write(`| ${ROWS} deliveries | median (ms) | worst (ms) |\n|---|---|---|\n`)
  const operations = await measureOperations()
  const interactions = await measurePage()
  const worst = (all: readonly number[]) => Math.round(Math.max(...all))
  const limit = { atMost: 100 }
  report({ name: `webhooks of ${ROWS} deliveries, operations`, value: worst(operations), unit: 'ms', limit })
  report({
    name: `webhooks of ${ROWS} deliveries, interactions of the page`,
    value: worst(interactions),
    unit: 'ms',
    limit,
  })
} finally {
  await tab.close()
  service.kill('SIGTERM')
  await once(service, 'exit')
  await owner.close()
  await server.stop()
}

async function startService(): Promise<ChildProcess> {
  const databases = { DATABASE_URL: server.appUrl, DATABASE_OWNER_URL: server.ownerUrl }
  const env = { ...process.env, ...PORTS, ...databases, SECRET_KEYS }
  const child = spawn(process.execPath, [join(root, 'packages', 'server', 'bin', 'clinicd.mjs'), 'serve'], {
    env,
    stdio: 'ignore',
  })
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(`${ADDRESS}/console/`).catch(() => null)) return child
    await delay(100)
  }
  throw new Error('the service does not answer')
}

async function signIn(): Promise<void> {
  const { clinic_id } = clinic
  const now = new Date()
  const email = `bench-${now.getTime()}@clinic.example`
  const { id } = await createAdministrator(owner, { clinic_id, email, name: 'Measuring', now })
  await tab.visit(signInAddress(ADDRESS, (await makeSignInLink(owner, { clinic_id, id, now })).token))
  await tab.until(`document.querySelector('nav a')`)
}

/** @returns the worst time of each. */
async function measureOperations(): Promise<number[]> {
  const paths: Record<string, string> = { 'how the webhooks do': 'webhooks/health', 'the webhooks': 'v1/webhooks' }
  for (const [name, id] of Object.entries(HOOKS)) {
    for (const filter of FILTERS) {
      paths[`${name}, the list, ${filter || 'everything'}`] = `v1/webhooks/${id}/deliveries?limit=25&${filter}`
      paths[`${name}, the watch, ${filter || 'everything'}`] = `webhooks/${id}/watch?${filter}`
    }
  }
  const shown = await tab.run<string>(`fetch('/console/api/webhooks/${HOOKS.working}/watch')
    .then((answer) => answer.json()).then(({ data }) => data[0].id)`)
  paths['a delivery as it was sent'] = `webhooks/${HOOKS.working}/deliveries/${shown}`
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

function choosing(place: number, value: string): string {
  return `{
    const field = document.querySelectorAll('.filters select')[${place}]
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(field, '${value}')
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }`
}

/** @returns the worst time of each interaction. */
async function measurePage(): Promise<number[]> {
  const times = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++) {
    await tab.visit(`${ADDRESS}/console/webhooks`)
    await tab.until(`document.querySelector('.subscription .health')`)
    for (const [name, action, until] of STEPS) {
      const ms = await tab.run<number>(timed(action, until))
      // The first round warms up what is measured.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), ms])
    }
  }
  for (const [name, all] of times) tell(`page: ${name}`, all)
  return [...times.values()].map((all) => Math.max(...all))
}

/** From the action to the frame after which its answer is shown. */
function timed(action: string, until: string): string {
  return `new Promise((done) => {
    for (const row of document.querySelectorAll('.delivery')) row.dataset.old = ''
    const startedAt = performance.now()
    ;${action}
    const look = () => requestAnimationFrame((${until}) ? () => done(performance.now() - startedAt) : look)
    look()
  })`
}

/** Prints a line of the table. @returns the worst. */
function tell(name: string, times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)]
  process.stdout.write(`| ${name} | ${median.toFixed(1)} | ${worst.toFixed(1)} |\n`)
  return worst
}
