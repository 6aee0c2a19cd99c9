// A console to measure: the service on the benches' own database, and a signed-in browser beside it. What is measured is told as rows of a
// table.
import { createAdministrator, makeSignInLink, signInAddress } from '@clinic-data/administration/administrators'
import { parseSecretKeys, type SecretKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'
import { chromiumProgram, Tab } from '@clinic-data/testing/run/chromium'
import { startChromium } from '@clinic-data/testing/run/start-chromium'
import { KEPT, openBenchDatabase } from './bench-database.ts'
import { report } from './goal.ts'
import { answering, serve } from './served.ts'
import { median } from './wrk.ts'

/** The same for each run, because the clinic is kept, with what is sealed under it. It protects nothing else. */
const SECRET_KEYS = `bench:${Buffer.alloc(32).toString('base64')}`
const PORTS = { PORT: '18480', ADMIN_PORT: '18481' }
const ADDRESS = `http://127.0.0.1:${PORTS.ADMIN_PORT}`

export interface ConsoleSite {
  readonly address: string
  readonly tab: Tab
  close(): Promise<void>
}

interface SignedIn {
  clinic_id: string
  id: string
}

/**
 * Opens the console of the clinic that `fill` makes in .data/bench, or finds there.
 *
 * @param prepare changes what the signed-in administrator has.
 */
export async function openConsoleSite(
  fill: (owner: Database, keys: SecretKeys) => Promise<{ clinic_id: string }>,
  prepare: (owner: Database, administrator: SignedIn) => Promise<void> = async () => undefined,
): Promise<ConsoleSite> {
  const program = chromiumProgram()
  if (program === null) throw new Error('there is no Chromium on this machine')
  const { server, owner, close } = await openBenchDatabase(KEPT)
  const { clinic_id } = await fill(owner, parseSecretKeys(SECRET_KEYS))
  const databases = { DATABASE_URL: server.appUrl, DATABASE_OWNER_URL: server.ownerUrl }
  const service = serve({ ...PORTS, ...databases, SECRET_KEYS })
  await answering(`${ADDRESS}/console/`, service)
  const chromium = await startChromium(program)
  const tab = await Tab.open(chromium.address)
  const now = new Date()
  const email = `bench-${now.getTime()}@clinic.example`
  const { id } = await createAdministrator(owner, { clinic_id, email, name: 'Measuring', now })
  await tab.visit(signInAddress(ADDRESS, (await makeSignInLink(owner, { clinic_id, id, now })).token))
  await tab.until(`document.querySelector('main button') && (document.querySelector('main button').click(), true)`)
  await tab.until(`document.querySelector('nav a')`)
  await prepare(owner, { clinic_id, id })
  return {
    address: ADDRESS,
    tab,
    async close() {
      await tab.close()
      await chromium.close()
      await service.stop()
      await close()
    },
  }
}

const ASKED = 20
/** Asked before: a service that has just started is still compiling. */
const WARM = 10

/** Asks each path below `/console/api/`, by its name. @param at a clinic that is paired with the one of the session. @returns the worst time of each. */
export async function measureOperations(
  tab: Tab,
  paths: Readonly<Record<string, string>>,
  at: string | null = null,
): Promise<number[]> {
  const worst: number[] = []
  const sent = JSON.stringify({ headers: { 'x-console': at === null ? '1' : `at ${at}` } })
  for (const [name, path] of Object.entries(paths)) {
    const times = await tab.run<number[]>(`(async () => {
      const times = []
      for (let n = -${WARM}; n < ${ASKED}; n++) {
        const startedAt = performance.now()
        const answer = await fetch('/console/api/${path}', ${sent})
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

/** In ms from the action. What is shown is painted before the next frame begins, and that is the time. */
export interface Interaction {
  /** Something has changed: a choice is shown as chosen, a dialog is open. */
  readonly feedback: number
  /** The answer is shown. */
  readonly content: number
}

/** Marks the shown rows as old, acts, and waits until the answer is shown. */
export function timed(tab: Tab, rows: string, action: string, until: string): Promise<Interaction> {
  return tab.run(`new Promise((done) => {
    for (const row of document.querySelectorAll('${rows}')) row.dataset.old = ''
    let feedback, isChanged = false
    const startedAt = performance.now()
    const sinceThen = () => performance.now() - startedAt
    const watch = new MutationObserver(() => { isChanged = true })
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    const look = () => {
      if (isChanged) requestAnimationFrame(() => { feedback ??= sinceThen() })
      if (!(${until})) return requestAnimationFrame(look)
      watch.disconnect()
      requestAnimationFrame(() => done({ feedback: feedback ?? sinceThen(), content: sinceThen() }))
    }
    ;${action}
    look()
  })`)
}

/** The interactions of a page, by their names. */
export class Interactions {
  readonly #all = new Map<string, Interaction[]>()

  add(name: string, one: Interaction): void {
    this.#all.set(name, [...(this.#all.get(name) ?? []), one])
  }

  /** Prints them as a table. @returns the worst of all. */
  tell(page: string): Interaction {
    const columns = ['feedback: median (ms)', 'worst (ms)', 'content: median (ms)', 'worst (ms)']
    process.stdout.write(`\n| ${page} | ${columns.join(' | ')} |\n|---|---|---|---|---|\n`)
    for (const [name, all] of this.#all) {
      const figures = [
        ...shownTimes(all.map(({ feedback }) => feedback)),
        ...shownTimes(all.map(({ content }) => content)),
      ]
      process.stdout.write(`| ${name} | ${figures.join(' | ')} |\n`)
    }
    const all = [...this.#all.values()].flat()
    return {
      feedback: Math.max(...all.map(({ feedback }) => feedback)),
      content: Math.max(...all.map(({ content }) => content)),
    }
  }
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
  process.stdout.write(`| ${name} | ${shownTimes(times).join(' | ')} |\n`)
  return Math.max(...times)
}

/** The median and the worst. */
function shownTimes(times: readonly number[]): [string, string] {
  return [median([...times]).toFixed(0), Math.max(...times).toFixed(0)]
}

/** Tells the goals of a page: operations, feedback and content within 100 ms. */
export function reportPage(name: string, operations: readonly number[], { feedback, content }: Interaction): void {
  const facts = {
    'operations of the console': Math.max(...operations),
    'feedback of the page': feedback,
    'content of the page': content,
  }
  for (const [what, value] of Object.entries(facts)) {
    report({ name: `${name}, ${what}`, value: Math.round(value), unit: 'ms', limit: { atMost: 100 } })
  }
}
