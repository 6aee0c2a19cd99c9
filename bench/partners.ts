// The console's pages of partners, people and home, with 200 integrations, a million audit rows and 100,000 deliveries in the clinic: each operation
// over HTTP, and each step of a visit in Chromium, from the click until the answer is shown.
//
//   node bench/partners.ts [rows] [deliveries]    makes the clinic once, in .data/bench
import { Interactions, measureOperations, openConsoleSite, reportPage, tell, timed } from './console-site.ts'
import { clinicOfPartners, pairWithSecond } from './partners-ground.ts'

const [rows = 1_000_000, deliveries = 100_000] = process.argv.slice(2).map(Number)
const ROUNDS = 7
const ONE = 'one integration'

let second = ''
const { tab, address, close } = await openConsoleSite(
  (owner, keys) => clinicOfPartners(owner, { rows, deliveries }, keys),
  async (owner, administrator) => {
    second = await pairWithSecond(owner, administrator)
  },
)
try {
  process.stdout.write(`| ${rows} audit rows, ${deliveries} deliveries | median (ms) | worst (ms) |\n|---|---|---|\n`)
  const busiest = await busiestIntegration()
  await openSecond()
  const operations = [
    ...(await measureOperations(tab, await operationPaths(busiest.id))),
    ...(await measureOperations(tab, { 'the integrations of a second clinic': 'integrations' }, second)),
  ]
  reportPage('partners', operations, await measurePages(busiest))
} finally {
  await close()
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

async function operationPaths(id: string): Promise<Record<string, string>> {
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

function stepsOf(busiest: Named): [name: string, action: string, until: string][] {
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

async function measurePages(busiest: Named) {
  const interactions = new Interactions()
  const first: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    await tab.visit(`${address}/console/home`)
    await tab.until(`document.querySelector('main .home-list')`)
    const content = await tab.run<number>('performance.now()')
    for (const [name, action, until] of stepsOf(busiest)) {
      // The rest of a long list follows, and nobody presses what is not there yet.
      if (name === ONE) await tab.until(link(busiest))
      const taken = await timed(tab, 'main table', action, until)
      // The first round warms up what is measured: a browser that has just started compiles the scripts.
      if (round > 0) interactions.add(name, taken)
    }
    if (round > 0) first.push(content)
  }
  tell('page: the content of home, from the beginning of the visit, at most', first)
  return interactions.tell('page')
}
