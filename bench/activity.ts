// The activity of the console with a million audit rows in the clinic: each operation over HTTP, and each interaction of the page in
// Chromium, from the click until the answer is shown.
//
//   node bench/activity.ts [rows]    makes the clinic once, in .data/bench; more rows than one search looks at: 40,000
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { auditedClinic, PATIENTS } from './activity-ground.ts'
import {
  choosing,
  type Interaction,
  Interactions,
  measureOperations,
  openConsoleSite,
  reportPage,
  tell,
  timed,
} from './console-site.ts'

const ROWS = Number(process.argv[2] ?? 1_000_000)
const ROUNDS = 7
const SELECTS = '.activity-filters select'
const ROW = `document.querySelector('.log-row')`
/** Not of those that were shown before. */
const NEW_ROW = `document.querySelector('.log-row:not([data-old])')`
/** The whole log was searched in vain. */
const SEARCHED = `document.querySelector('main').innerText.includes('The whole log was searched')`

const { tab, address, close } = await openConsoleSite((owner, keys) =>
  auditedClinic(owner, ROWS, signingKeys(keys, 'audit-head')),
)
try {
  process.stdout.write(`| ${ROWS} audit rows | median (ms) | worst (ms) |\n|---|---|---|\n`)
  const operations = await measureOperations(tab, await operationPaths())
  reportPage(`activity of ${ROWS} rows`, operations, await measurePage())
} finally {
  await close()
}

async function operationPaths(): Promise<Record<string, string>> {
  const day = new Date(Date.now() - 15 * 86_400_000).toISOString().slice(0, 10)
  return {
    'the latest rows': 'activity',
    'of one key': `activity?actor=${(await actors())[0]}`,
    'of a patient': `activity?resource_id=${PATIENTS.usual}`,
    'of nobody (40,000 rows searched)': 'activity?actor=nobody&resource_id=nobody&outcome=failed',
    'failed ones': 'activity?outcome=failed',
    'of a day in the middle': `activity?from=${day}&to=${day}`,
    'of nobody, that day': `activity?from=${day}&to=${day}&resource_id=nobody`,
    'names to filter by': 'activity/actors',
    'use of the keys, 24 hours': 'activity/usage?period=day',
    'use of the keys, 30 days': 'activity/usage?period=month',
    'the keys with their requests of a day': 'keys',
  }
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

/** Returns the steps of a visit: for each what is done, and when its answer is shown. */
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
    ['filter by a key', choosing(SELECTS, 0, key ?? ''), NEW_ROW],
    ['filter by the result too', choosing(SELECTS, 2, 'refused'), NEW_ROW],
    ['clear the filters', clicking('Clear the filters'), NEW_ROW],
    ['who read a patient', typing(PATIENTS.usual), NEW_ROW],
    [
      'a patient of nobody: the first answer',
      typing('nobody'),
      `location.search.includes('nobody') && ${shows('Searched back')}`,
    ],
    ['use of the keys', clicking('Use of keys'), `document.querySelectorAll('figure.chart svg').length >= 2`],
    ['its 30 days', clicking('30 days'), `document.querySelectorAll('figure.chart tbody')[0].rows.length > 25`],
  ]
}

async function measurePage() {
  const all = await steps()
  const [interactions, visits] = [
    new Interactions(),
    { first: [] as number[], rows: [] as number[], found: [] as number[] },
  ]
  for (let round = 0; round <= ROUNDS; round++) {
    await tab.visit(`${address}/console/activity`)
    await tab.until(ROW)
    const first = await tab.run<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
    const rows = await tab.run<number>('performance.now()')
    const taken: [string, Interaction][] = []
    for (const [name, action, until] of all) {
      // Nobody clicks while the page still works on the click before.
      if (name === 'use of the keys') await tab.until(SEARCHED)
      taken.push([name, await timed(tab, '.log-row', action, until)])
    }
    await tab.visit(`${address}/console/activity`)
    await tab.until(ROW)
    const isFound = `location.search.includes('oldest') && (${SEARCHED} || ${NEW_ROW})`
    const { content: found } = await timed(tab, '.log-row', typing(PATIENTS.oldest), isFound)
    // The first round warms up what is measured: a browser that has just started compiles the scripts.
    if (round === 0) continue
    for (const [name, one] of taken) interactions.add(name, one)
    for (const [name, ms] of Object.entries({ first, rows, found })) visits[name as keyof typeof visits].push(ms)
  }
  tell('page: first content of a visit', visits.first)
  tell('page: its rows, at most', visits.rows)
  tell('page: a patient whom only the oldest row names: found', visits.found)
  return interactions.tell('page')
}
