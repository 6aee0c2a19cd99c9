// The console's pages with 200 integrations, a million audit rows and 100,000 deliveries in the clinic: partners, people and home; the activity;
// and the webhooks. Each operation over HTTP, and each interaction of a page in Chromium, from the click until the answer is shown.
//
//   node bench/console.ts [rows] [deliveries]    makes the clinic once, in .data/bench; more rows than one search looks at: 40,000
import { eventTypes } from '@clinic-data/contract'
import { clinicOfPartners, HOOKS, PATIENTS, pairWithSecond, RECORD } from './console-ground.ts'
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

const [rows = 1_000_000, deliveries = 100_000] = process.argv.slice(2).map(Number)
const ROUNDS = 7
const ONE = 'one integration'
const USE = 'use of the keys'
const LOG_SELECTS = '.activity-filters select'
const DELIVERY_SELECTS = '.delivery-filters select'
const LOG_ROW = `document.querySelector('.log-row')`
const DELIVERY = `document.querySelector('.delivery')`
/** Not of those that were shown before. */
const NEW_LOG_ROW = `document.querySelector('.log-row:not([data-old])')`
const NEW_DELIVERY = `document.querySelector('.delivery:not([data-old])')`
/** The whole log was searched in vain. */
const SEARCHED = `document.querySelector('main').innerText.includes('The whole log was searched')`
const RARE = eventTypes.at(-1) ?? ''
/** Filters that find much, little, and nothing. */
const FILTERS = ['', 'status=delivered', 'status=failed', 'status=pending', `event_type=${RARE}&status=delivered`]

type Step = readonly [name: string, action: string, until: string]

interface Page {
  name: string
  place: string
  /** The page is there. */
  shown: string
  /** What a step replaces. */
  rows: string
  steps: readonly Step[]
  /** What must be there before a step: nobody clicks while the page still works on the click before. */
  before: Readonly<Record<string, string>>
}

let second = ''
const { tab, address, close } = await openConsoleSite(
  (owner, keys) => clinicOfPartners(owner, { rows, deliveries }, keys),
  async (owner, administrator) => {
    second = await pairWithSecond(owner, administrator)
  },
)
try {
  const busiest = await busiestIntegration()
  await openSecond()
  const partners = await timesOf(await partnerPaths(busiest.id))
  const ofSecond = await measureOperations(tab, { 'the integrations of a second clinic': 'integrations' }, second)
  const home = `document.querySelector('main .home-list')`
  const before = { [ONE]: link(busiest) }
  const steps = stepsOfPartners(busiest)
  const visit = { name: 'partners', place: 'home', shown: home, rows: 'main table', steps, before }
  reportPage('partners', [...partners, ...ofSecond], await measurePage(visit))

  const activity = await timesOf(await activityPaths())
  const log = { name: 'activity', place: 'activity', shown: LOG_ROW, rows: '.log-row', steps: await stepsOfActivity() }
  reportPage(`activity of ${rows} rows`, activity, await measurePage({ ...log, before: { [USE]: SEARCHED } }))
  await measureOldest()

  const webhooks = await timesOf(await webhookPaths())
  const health = `document.querySelector('.subscription .health')`
  const list = { name: 'webhooks', place: 'webhooks', shown: health, rows: '.delivery', steps: stepsOfWebhooks() }
  reportPage(`webhooks of ${deliveries} deliveries`, webhooks, await measurePage({ ...list, before: {} }))
} finally {
  await close()
}

function timesOf(paths: Readonly<Record<string, string>>): Promise<number[]> {
  process.stdout.write(`\n| ${rows} audit rows, ${deliveries} deliveries | median (ms) | worst (ms) |\n|---|---|---|\n`)
  return measureOperations(tab, paths)
}

async function measurePage({ name: page, place, shown, rows, steps, before }: Page): Promise<Interaction> {
  const interactions = new Interactions()
  const visits = { first: [] as number[], content: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    await tab.visit(`${address}/console/${place}`)
    await tab.until(shown)
    const content = await tab.run<number>('performance.now()')
    const first = await tab.run<number>(`performance.getEntriesByName('first-contentful-paint')[0].startTime`)
    const taken: [string, Interaction][] = []
    for (const [name, action, until] of steps) {
      const ready = before[name]
      if (ready !== undefined) await tab.until(ready)
      taken.push([name, await timed(tab, rows, action, until)])
    }
    // The first round warms up what is measured: a browser that has just started compiles the scripts.
    if (round === 0) continue
    for (const [name, one] of taken) interactions.add(name, one)
    visits.first.push(first)
    visits.content.push(content)
  }
  tell(`${page}: first content of a visit`, visits.first)
  tell(`${page}: its content, at most`, visits.content)
  return interactions.tell(page)
}

/** The whole log is searched. */
async function measureOldest(): Promise<void> {
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await tab.visit(`${address}/console/activity`)
    await tab.until(LOG_ROW)
    const isFound = `location.search.includes('oldest') && (${SEARCHED} || ${NEW_LOG_ROW})`
    found.push((await timed(tab, '.log-row', showing(PATIENTS.oldest), isFound)).content)
  }
  tell('activity: a patient whom only the oldest row names: found', found)
}

/** As the console's page of all clinics does. */
function openSecond(): Promise<unknown> {
  return tab.run(`fetch('/console/api/pairings').then((answer) => answer.json())
    .then(({ data }) => fetch('/console/api/pairings/' + data[0].id + '/open', { method: 'POST', headers: { 'x-console': '1' } }))
    .then((answer) => { if (!answer.ok) throw new Error('it answered ' + answer.status) })`)
}

interface Named {
  id: string
  name: string
}

function busiestIntegration(): Promise<Named> {
  return tab.run(`fetch('/console/api/integrations').then((answer) => answer.json())
    .then(({ data }) => data.toSorted((a, b) => b.patients_read_today - a.patients_read_today)[0])`)
}

async function partnerPaths(id: string): Promise<Record<string, string>> {
  const key = await tab.run<string>(`fetch('/console/api/integrations/${id}').then((answer) => answer.json())
    .then(({ data }) => data.key_list[0].id)`)
  return {
    'the home page': 'home',
    'the integrations': 'integrations',
    'one integration': `integrations/${id}`,
    'one key': `keys/${key}`,
    'the keys': 'keys',
    'the connections': 'connections',
    'the people': 'people',
    'the approvals': 'approvals',
    'the other clinics': 'pairings',
    'the activity of one integration': `activity?integration=${id}`,
  }
}

function link({ name }: Named): string {
  return `[...document.querySelectorAll('main a')].find((one) => one.textContent === '${name}')`
}

function stepsOfPartners(busiest: Named): Step[] {
  const to = (place: string) => `document.querySelector('nav a[href="/console/${place}"]').click()`
  const shows = (selector: string) => `document.querySelector('main ${selector}')`
  // Home shows eight. The first screen of a long list is there at once.
  const rows = `document.querySelectorAll('main table.keys tbody tr').length > 20`
  return [
    ['the integrations', to('integrations'), rows],
    [ONE, `${link(busiest)}.click()`, shows('table.access')],
    ['the people', to('people'), shows('table.keys tbody tr')],
    ['the keys', to('keys'), rows],
    ['the approvals', to('approvals'), shows('article')],
    ['all clinics', to('clinics'), shows('.partner')],
    ['the webhooks', to('webhooks'), shows('.subscription .health')],
    ['the activity', to('activity'), shows('.log-row')],
    ['home', to('home'), shows('.home-list')],
  ]
}

async function activityPaths(): Promise<Record<string, string>> {
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
    .then(({ data }) => data.filter(({ kind, name }) => kind === 'key' && name === 'Partner 1').map(({ id }) => id))`)
}

function clicking(text: string): string {
  return `[...document.querySelectorAll('button, main label')].find((one) => one.textContent === '${text}').click()`
}

/** As a link of the console does: the field itself looks for names first. */
function showing(patient_id: string): string {
  return `history.pushState(0, '', '?patient_id=${patient_id}'); dispatchEvent(new Event('popstate'))`
}

async function stepsOfActivity(): Promise<Step[]> {
  const [key] = await actors()
  const shows = (text: string) => `document.querySelector('main').innerText.includes('${text}')`
  return [
    ['show more', clicking('Show more'), `document.querySelectorAll('.log-row').length === 50`],
    [
      'open a row',
      `document.querySelector('[data-name=open] button').click()`,
      `document.querySelector('.details dd')`,
    ],
    ['filter by a key', choosing(LOG_SELECTS, 0, key ?? ''), NEW_LOG_ROW],
    ['filter by the result too', choosing(LOG_SELECTS, 2, 'refused'), NEW_LOG_ROW],
    ['clear the filters', clicking('Clear the filters'), NEW_LOG_ROW],
    ['who read a patient', showing(PATIENTS.usual), NEW_LOG_ROW],
    [
      'a patient of nobody: the first answer',
      showing('nobody'),
      `location.search.includes('nobody') && ${shows('Searched back')}`,
    ],
    [USE, clicking('Use of keys'), `document.querySelectorAll('figure.chart svg').length >= 2`],
    ['its 30 days', clicking('30 days'), `document.querySelectorAll('figure.chart tbody')[0].rows.length > 25`],
  ]
}

async function webhookPaths(): Promise<Record<string, string>> {
  const paths: Record<string, string> = { 'how the webhooks do': 'webhooks/health', 'the webhooks': 'v1/webhooks' }
  for (const [name, id] of Object.entries(HOOKS)) {
    for (const filter of FILTERS) {
      paths[`${name}, the list, ${filter || 'everything'}`] = `webhooks/${id}/deliveries?limit=25&${filter}`
    }
  }
  const shown = await tab.run<string>(`fetch('/console/api/webhooks/${HOOKS.working}/deliveries')
    .then((answer) => answer.json()).then(({ data }) => data[0].id)`)
  paths['a delivery as it was sent'] = `webhooks/${HOOKS.working}/deliveries/${shown}`
  paths['the events of a record'] = `webhooks/record-events?record_id=${RECORD}7`
  return paths
}

function stepsOfWebhooks(): Step[] {
  return [
    ['open a webhook', `document.querySelector('.subscription-address').click()`, DELIVERY],
    ['show more', clicking('Show more'), `document.querySelectorAll('.delivery').length === 50`],
    ['open a delivery', `${DELIVERY}.click()`, `document.querySelector('.payload')`],
    ['close it', `document.querySelector('dialog button').click()`, `!document.querySelector('dialog')`],
    [
      'only what failed',
      choosing(DELIVERY_SELECTS, 0, 'failed'),
      `location.search.includes('failed') && ${NEW_DELIVERY}`,
    ],
    [
      'only what waits',
      choosing(DELIVERY_SELECTS, 0, 'pending'),
      `location.search.includes('pending') && ${NEW_DELIVERY}`,
    ],
    ['every state again', choosing(DELIVERY_SELECTS, 0, ''), `!location.search.includes('pending') && ${DELIVERY}`],
    ['a rare event', choosing(DELIVERY_SELECTS, 1, RARE), `location.search.includes('${RARE}') && ${NEW_DELIVERY}`],
    ['all webhooks', `document.querySelector('.back').click()`, `document.querySelector('.subscription .health')`],
    [
      'the events of a record',
      `history.pushState(0, '', '?record=${RECORD}7'); dispatchEvent(new Event('popstate'))`,
      `document.querySelector('.receivers .delivery')`,
    ],
  ]
}
