// How soon a new browser shows the console over a slow line: signed in and signed out, with Brotli and with gzip alone, in turn.
//
//   node bench/console-load.ts [loads] [kB a second]    uses the database of .data/bench
import { benchClinic } from './bench-clinic.ts'
import { openConsoleSite } from './console-site.ts'
import { median } from './wrk.ts'

const [loads = 3, kilobytes = 50] = process.argv.slice(2).map(Number)
/** A browser asks for Brotli over https, and where the service is on its own machine. */
const ASKING = { Brotli: {}, gzip: { 'accept-encoding': 'gzip' } }
/** The elements that a reader waits for. */
const SIGNED_IN = { navigation: 'nav a', page: 'main h1' }
const SIGNED_OUT = { form: 'input[type=password]' }

const { tab, address, close } = await openConsoleSite((owner) =>
  benchClinic(owner, { clinic_id: 'costs', patients: 3_000, appointments_per_patient: 10 }),
)
try {
  process.stdout.write(`| ${kilobytes} kB/s | shown | median (s) | worst | kB |\n|---|---|---|---|---|\n`)
  await tab.send('Network.enable')
  await measure('signed in', SIGNED_IN)
  await tab.send('Network.clearBrowserCookies')
  await measure('signed out', SIGNED_OUT)
} finally {
  await close()
}

async function measure(state: string, shown: Readonly<Record<string, string>>): Promise<void> {
  const end = await tab.inject(watching(shown))
  const all = Object.entries(ASKING).map(([name, headers]) => ({ name, headers, found: [] as Load[] }))
  for (let n = 0; n < loads; n++) {
    for (const { headers, found } of all) found.push(await loaded(headers, shown))
  }
  await end()
  for (const { name, found } of all) {
    const bytes = median(found.map(({ bytes }) => bytes))
    for (const element of Object.keys(shown)) {
      const times = found.map(({ at }) => (at[element] ?? Number.NaN) / 1000)
      const cells = [`${state}, ${name}`, element, median(times).toFixed(1), Math.max(...times).toFixed(1)]
      process.stdout.write(`| ${cells.join(' | ')} | ${Math.round(bytes / 1000)} |\n`)
    }
  }
}

/** Notes in `window.shown` when each element appeared, in ms since the page was asked for. */
function watching(shown: Readonly<Record<string, string>>): string {
  return `window.shown = {}; new MutationObserver(() => {
    for (const [name, selector] of Object.entries(${JSON.stringify(shown)}))
      if (window.shown[name] === undefined && document.querySelector(selector)) window.shown[name] = performance.now()
  }).observe(document, { childList: true, subtree: true })`
}

interface Load {
  at: Readonly<Record<string, number>>
  bytes: number
}

async function loaded(headers: object, shown: Readonly<Record<string, string>>): Promise<Load> {
  await tab.visit('about:blank')
  await tab.send('Network.clearBrowserCache')
  await tab.send('Network.setExtraHTTPHeaders', { headers })
  const downloadThroughput = kilobytes * 1000
  await tab.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput,
    uploadThroughput: -1,
  })
  await tab.send('Page.navigate', { url: `${address}/console/` })
  await tab.until(`Object.keys(window.shown ?? {}).length === ${Object.keys(shown).length}`)
  const [at, bytes] = await tab.run<[Load['at'], number]>(`[window.shown, performance.getEntriesByType('resource')
    .reduce((sum, { transferSize }) => sum + transferSize, performance.getEntriesByType('navigation')[0].transferSize)]`)
  return { at, bytes }
}
