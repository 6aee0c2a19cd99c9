// The webhooks of the console with 100,000 deliveries in the clinic: each operation over HTTP, and each interaction of the page in Chromium,
// from the click until the answer is shown.
//
//   node bench/console-webhooks.ts [deliveries]    makes the clinic once, in .data/bench
import { eventTypes } from '@clinic-data/contract'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { choosing, Interactions, measureOperations, openConsoleSite, reportPage, timed } from './console-site.ts'
import { deliveringClinic, HOOKS, RECORD } from './console-webhooks-ground.ts'

const ROWS = Number(process.argv[2] ?? 100_000)
const ROUNDS = 7
const RARE = eventTypes.at(-1) ?? ''

/** Filters that find much, little, and nothing. */
const FILTERS = ['', 'status=delivered', 'status=failed', 'status=pending', `event_type=${RARE}&status=delivered`]

const ROW = `document.querySelector('.delivery')`
/** Not of those that were shown before. */
const NEW_ROW = `document.querySelector('.delivery:not([data-old])')`
function clicking(text: string): string {
  return `[...document.querySelectorAll('button')].find((one) => one.textContent === '${text}').click()`
}

const SELECTS = '.delivery-filters select'

const STEPS: readonly [name: string, action: string, until: string][] = [
  ['open a webhook', `document.querySelector('.subscription-address').click()`, ROW],
  ['show more', clicking('Show more'), `document.querySelectorAll('.delivery').length === 50`],
  ['open a delivery', `${ROW}.click()`, `document.querySelector('.payload')`],
  ['close it', `document.querySelector('dialog button').click()`, `!document.querySelector('dialog')`],
  ['only what failed', choosing(SELECTS, 0, 'failed'), `location.search.includes('failed') && ${NEW_ROW}`],
  ['only what waits', choosing(SELECTS, 0, 'pending'), `location.search.includes('pending') && ${NEW_ROW}`],
  ['every state again', choosing(SELECTS, 0, ''), `!location.search.includes('pending') && ${ROW}`],
  ['a rare event', choosing(SELECTS, 1, RARE), `location.search.includes('${RARE}') && ${NEW_ROW}`],
  ['all webhooks', `document.querySelector('.back').click()`, `document.querySelector('.subscription .health')`],
  [
    'the events of a record',
    `history.pushState(0, '', '?record=${RECORD}7'); dispatchEvent(new Event('popstate'))`,
    `document.querySelector('.receivers .delivery')`,
  ],
]

const { tab, address, close } = await openConsoleSite((owner, keys) =>
  deliveringClinic(owner, ROWS, signingKeys(keys, 'webhook-secret')),
)
try {
  process.stdout.write(`| ${ROWS} deliveries | median (ms) | worst (ms) |\n|---|---|---|\n`)
  const operations = await measureOperations(tab, await operationPaths())
  reportPage(`webhooks of ${ROWS} deliveries`, operations, await measurePage())
} finally {
  await close()
}

async function operationPaths(): Promise<Record<string, string>> {
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

async function measurePage() {
  const interactions = new Interactions()
  for (let round = 0; round <= ROUNDS; round++) {
    await tab.visit(`${address}/console/webhooks`)
    await tab.until(`document.querySelector('.subscription .health')`)
    for (const [name, action, until] of STEPS) {
      const taken = await timed(tab, '.delivery', action, until)
      // The first round warms up what is measured.
      if (round > 0) interactions.add(name, taken)
    }
  }
  return interactions.tell('page')
}
