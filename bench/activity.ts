// The activity of the console with a million audit rows in the clinic: each operation over HTTP, and each interaction of the page in
// Chromium, from the click until the answer is shown.
//
//   node bench/activity.ts [rows]    makes the clinic once, in .data/bench
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdministrator, makeSignInLink, signInAddress } from '@clinic-data/backend/console/administrators'
import { migrations, tables } from '@clinic-data/backend/migrations'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { openDatabase } from '@clinic-data/database'
import { startEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { migrate } from '@clinic-data/database/schema/migrate'
import { chromiumProgram, Tab } from '../test/chromium.ts'
import { auditedClinic, PATIENTS } from './activity-ground.ts'
import { report } from './goal.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const ASKED = 20
/** Asked before: a service that has just started is still compiling. */
const WARM = 10
const ROUNDS = 7
const PORTS = { PORT: '18480', ADMIN_PORT: '18481' }
const ADDRESS = `http://127.0.0.1:${PORTS.ADMIN_PORT}`
const root = dirname(import.meta.dirname)
const ROW = `document.querySelector('.log-row')`
/** Not of those that were shown before. */
const NEW_ROW = `document.querySelector('.log-row:not([data-old])')`
/** The same for each run, because the rows are sealed under it. It protects nothing else. */
const SECRET_KEYS = `bench:${Buffer.alloc(32).toString('base64')}`

/** The whole log was searched in vain, and the charts' script has come. */
const LOADED = `document.querySelector('main').innerText.includes('The whole log was searched') &&
  performance.getEntriesByType('resource').some(({ name }) => name.includes('chart'))`

const program = chromiumProgram()
if (program === null) throw new Error('there is no Chromium on this machine')
const server = await startEmbeddedPostgres({ dataDir: join(root, '.data', 'bench'), log: () => undefined })
const owner = await openDatabase({ url: server.ownerUrl, statementTimeoutMs: 0 })
await migrate(owner, migrations, { tables, log: () => undefined })
const clinic = await auditedClinic(owner, ROWS, signingKeys(parseSecretKeys(SECRET_KEYS), 'audit-head'))
const service = await startService()
const tab = await Tab.open(program)
try {
  await signIn()
  process.stdout.write(`| ${ROWS} audit rows | median (ms) | worst (ms) |\n|---|---|---|\n`)
  const operations = await measureOperations()
  const interactions = await measurePage()
  const worst = (all: readonly number[]) => Math.round(Math.max(...all))
  const limit = { atMost: 100 }
  report({ name: `activity of ${ROWS} rows, operations of the console`, value: worst(operations), unit: 'ms', limit })
  report({ name: `activity of ${ROWS} rows, interactions of the page`, value: worst(interactions), unit: 'ms', limit })
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
  const day = new Date(Date.now() - 15 * 86_400_000).toISOString().slice(0, 10)
  const paths = {
    'the latest rows': 'activity',
    'of one key': `activity?actor=${(await actors())[0]}`,
    'of a patient': `activity?resource_id=${PATIENTS.usual}`,
    'of nobody (20,000 rows searched)': 'activity?actor=nobody&resource_id=nobody&outcome=failed',
    'failed ones': 'activity?outcome=failed',
    'of a day in the middle': `activity?from=${day}&to=${day}`,
    'of nobody, that day': `activity?from=${day}&to=${day}&resource_id=nobody`,
    'names to filter by': 'activity/actors',
    'use of the keys, 24 hours': 'activity/usage?period=day',
    'use of the keys, 30 days': 'activity/usage?period=month',
    'the keys with their requests of a day': 'keys',
  }
  const worst: number[] = []
  for (const [name, path] of Object.entries(paths)) {
    const times = await tab.run<number[]>(`(async () => {
      const times = []
      for (let n = -${WARM}; n < ${ASKED}; n++) {
        const startedAt = performance.now()
        await (await fetch('/console/api/${path}')).json()
        if (n >= 0) times.push(performance.now() - startedAt)
      }
      return times
    })()`)
    worst.push(tell(name, times))
  }
  return worst
}

function actors(): Promise<string[]> {
  return tab.run(`fetch('/console/api/activity/actors').then((answer) => answer.json())
    .then(({ data }) => data.filter(({ kind }) => kind === 'key').map(({ id }) => id))`)
}

function clicking(text: string): string {
  return `[...document.querySelectorAll('main button, main label')].find((one) => one.textContent === '${text}').click()`
}

function typing(value: string): string {
  return `{
    const field = document.querySelector('.activity-filters form input')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${value}')
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.form.requestSubmit()
  }`
}

function choosing(place: number, value: string): string {
  return `{
    const field = document.querySelectorAll('.activity-filters select')[${place}]
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(field, '${value}')
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }`
}

/** Of each step of a visit: what is done, and when its answer is shown. */
async function steps(): Promise<[name: string, action: string, until: string][]> {
  const [key] = await actors()
  const shows = (text: string) => `document.querySelector('main').innerText.includes('${text}')`
  return [
    ['show more', clicking('Show more'), `document.querySelectorAll('.log-row').length === 50`],
    [
      'open a row',
      `document.querySelector('[data-name=open] button').click()`,
      `document.querySelector('.details dd')`,
    ],
    ['filter by a key', choosing(0, key ?? ''), NEW_ROW],
    ['filter by the result too', choosing(2, 'refused'), NEW_ROW],
    ['clear the filters', clicking('Clear the filters'), NEW_ROW],
    ['who read a patient', typing(PATIENTS.usual), NEW_ROW],
    [
      'a patient of nobody: the first answer',
      typing('nobody'),
      `location.search.includes('nobody') && ${shows('Searched back')}`,
    ],
    ['use of the keys', clicking('Use of keys'), `document.querySelectorAll('figure.chart svg').length >= 2`],
    ['its 30 days', clicking('30 days'), `location.search.includes('month') && ${shows('30')}`],
  ]
}

/** @returns the worst time of each interaction. */
async function measurePage(): Promise<number[]> {
  const all = await steps()
  const times = new Map<string, number[]>()
  const add = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
  for (let round = 0; round <= ROUNDS; round++) {
    await tab.visit(`${ADDRESS}/console/activity`)
    await tab.until(ROW)
    const painted = await tab.run<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
    const shown = await tab.run<number>('performance.now()')
    const rare = `document.querySelector('main').innerText.includes('The whole log was searched') || ${NEW_ROW}`
    // The first round warms up what is measured: a browser that has just started compiles the scripts.
    if (round > 0) {
      add('first content of a visit', painted)
      add('its rows, at most', shown)
    }
    for (const [name, action, until] of all) {
      // Nobody clicks while the page still works on the click before.
      if (name === 'use of the keys') await tab.until(LOADED)
      const ms = await tab.run<number>(timed(action, until))
      if (round > 0) add(name, ms)
    }
    await tab.visit(`${ADDRESS}/console/activity`)
    await tab.until(ROW)
    const ms = await tab.run<number>(timed(typing(PATIENTS.oldest), `location.search.includes('oldest') && (${rare})`))
    if (round > 0) add('a patient whom only the oldest row names: found', ms)
  }
  for (const [name, all] of times) tell(`page: ${name}`, all)
  return all.map(([name]) => Math.max(...(times.get(name) ?? [])))
}

/** From the action to the frame after which its answer is shown. */
function timed(action: string, until: string): string {
  return `new Promise((done) => {
    for (const row of document.querySelectorAll('.log-row')) row.dataset.old = ''
    const startedAt = performance.now()
    const look = () => (${until}) ? requestAnimationFrame(() => done(performance.now() - startedAt)) : requestAnimationFrame(look)
    ;${action}
    look()
  })`
}

function tell(name: string, times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  const [median, worst] = [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
  process.stdout.write(`| ${name} | ${median.toFixed(0)} | ${worst.toFixed(0)} |\n`)
  return worst
}
