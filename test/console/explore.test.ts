// The console's numbers in the machine's Chromium, against the real service: questions by one click and by the form, an address that
// holds the question, faults at their places, CSV, and the same question by `sc`, curl and MCP.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { allScopes } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { generateDemo } from '@clinic-data/demo/generate-demo'
import { sized } from '@clinic-data/testing/run/size'
import { keyOf } from '@clinic-data/testing/run/test-service'
import { faultsOfPages, VIEWS } from './faults-of-pages.ts'
import { type ConsoleSite, openBeforeTests } from './site.ts'
import { field, UserActions } from './user-actions.ts'

const run = promisify(execFile)
const SC = join(import.meta.dirname, '../../packages/cli/bin/sc.mjs')

const SCRIPT = '<img src=x onerror="window.hacked=1">'
const FORMULA = '=HYPERLINK("http://x.example";"Dr")'
const RANGE = 'from=2024-01-01&to=2027-12-31'
const BY_PROVIDER = `dataset=production&measures=net_revenue,treatment_count&by=provider&${RANGE}&order=net_revenue:desc`
const BY_MONTH = `dataset=appointments&measures=appointment_count,no_show_count&by=start_date:month&${RANGE}`

let site: ConsoleSite
let user: UserActions
const skip = openBeforeTests(async (opened) => {
  site = opened
  user = new UserActions(site.tab)
  const { owner, clinic, clinic_id } = site
  await generateDemo({ database: owner, clinic, patients: 40, seed: 1, now: new Date() })
  const named = [
    ['dr-cohen', SCRIPT],
    ['dr-levi', FORMULA],
  ] as const
  await owner.write(utcSession(clinic_id), async (tx) => {
    for (const [id, name] of named) {
      await tx.query(sql`update provider set name = ${name} where clinic_id = ${clinic_id} and id = ${id}`)
    }
  })
  await site.signIn('/console/explore')
})

const page = (search = '') => `/console/explore${search && `?${search}`}`
/** The shell's own alert leads to the account. */
const ALERT = `document.querySelector('[role=alert]:not(:has(a))')`
const lines = `document.querySelectorAll('.answer tbody tr').length`
async function visit(search: string, width?: number): Promise<void> {
  await site.go(page(search), width)
  await site.tab.until(lines)
}

test('a question is answered by one click, and "back" leads to the list', { skip }, async () => {
  const { tab } = site
  await site.go(page())
  await tab.until(`document.querySelectorAll('.start').length === 12`)
  // One that is drawn along time, and one whose values are ranked.
  for (const at of sized({ everyday: [1, 3], long: Array.from({ length: 12 }, (_, n) => n) })) {
    await user.click(`document.querySelectorAll('.start')[${at}]`)
    await tab.until(`location.search && (${lines} || document.body.innerText.includes('Nothing matches'))`)
    assert.equal(await tab.run(ALERT), null)
    await tab.run('history.back()')
    await tab.until(`!location.search && document.querySelectorAll('.start').length === 12`)
  }
})

test('names stand beside ids, money is the clinic’s, and what someone wrote into a name stays text', {
  skip,
}, async () => {
  const { tab } = site
  await visit(BY_PROVIDER)
  const rows = await tab.run<string[]>(`[...document.querySelectorAll('.answer tbody tr')].map((one) => one.innerText)`)
  assert.ok(rows.some((row) => row.includes(SCRIPT) && row.includes('dr-cohen')))
  assert.ok(rows.every((row) => /₪[\d,]+\.\d\d/.test(row)))
  assert.match(
    await tab.run<string>(`document.querySelector('.answer tfoot').innerText`),
    /^Total of \d+\s+₪[\d,.]+\s+[\d,]+$/,
  )
  assert.equal(await tab.run(`document.querySelectorAll('.ranked-row').length`), rows.length)
  assert.equal(await tab.run('window.hacked === undefined'), true)
})

test('a chart that leaves values out says so', { skip }, async () => {
  await visit(BY_MONTH.replace('by=', 'by=provider,'))
  await user.sees('The 4 largest of ')
})

test('an address shows the question it was shared with, and "back" the one before', { skip }, async () => {
  const { tab } = site
  await visit(BY_MONTH)
  await user.click(`[...document.querySelectorAll('label')].find((one) => one.textContent === 'No-show rate')`)
  await tab.until(`document.querySelectorAll('.answer thead th').length === 4`)
  await user.choose(field('Date of visit, by'), 'quarter')
  await tab.until(`/^Q\\d 20\\d\\d$/.test(document.querySelector('.answer tbody td').innerText)`)
  const shared = await tab.run<string>('location.href')
  const answer = await tab.run<string>(`document.querySelector('.answer').innerText`)
  await tab.run('history.back()')
  await tab.until(`!/^Q\\d/.test(document.querySelector('.answer tbody td')?.innerText ?? 'Q1')`)
  await tab.visit(shared)
  await tab.until(lines)
  assert.equal(await tab.run(`document.querySelector('.answer').innerText`), answer)
})

test('a heading sorts, a condition narrows, and the answer follows', { skip }, async () => {
  const { tab } = site
  await visit(BY_PROVIDER)
  const all = await tab.run<number>(lines)
  await user.click(`document.querySelectorAll('.answer-sort')[2]`)
  await tab.until(`document.querySelectorAll('.answer th')[2].getAttribute('aria-sort') === 'descending'`)
  await tab.until(`!document.querySelector('[data-old]')`)
  const counts = await tab.run<number[]>(
    `[...document.querySelectorAll('.answer tbody td:last-child')].map((one) => Number(one.innerText))`,
  )
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  )
  await user.press('Add a condition')
  await user.click(`document.querySelector('.condition-values input')`)
  await user.click(
    `[...document.querySelectorAll('[role=option]')].find((one) => one.textContent === ${JSON.stringify(SCRIPT)})`,
  )
  await tab.until(`${lines} === 1 && !document.querySelector('[data-old]')`)
  assert.match(await tab.run<string>('decodeURIComponent(location.search)'), /where=provider:in:dr-cohen/)
  await user.choose(`document.querySelector('[aria-label=Comparison]')`, 'not_in')
  await tab.until(`${lines} === ${all - 1}`)
})

test('the faults of a question stand at their places, in plain words', { skip }, async () => {
  const { tab } = site
  const faulty = async (search: string, text: string, within: string) => {
    await site.go(page(search))
    await tab.until(
      `[...document.querySelectorAll('${within}')].some((one) => one.innerText.includes(${JSON.stringify(text)}))`,
    )
    assert.equal(await tab.run(lines), 0)
  }
  const about = 'dataset=appointments&measures=appointment_count'
  await faulty(
    `${about}&from=2026-02-01&to=2026-01-01`,
    'The first day comes after the last.',
    'fieldset[aria-label=When]',
  )
  await faulty(`${about}&from=2010-01-01&to=2026-01-01`, 'Choose at most ten years.', 'fieldset[aria-label=When]')
  await faulty(`${about}&from=2010-01-01`, 'Choose the first day and the last.', 'fieldset[aria-label=When]')
  await faulty(`dataset=appointments&measures=revenue&${RANGE}`, 'One of these does not exist', 'fieldset:has(legend)')
  await faulty(`dataset=appointments&measures=&${RANGE}`, 'Choose at least one.', 'fieldset:has(legend)')
  await faulty(`${about}&by=revenue&${RANGE}`, 'One of these does not exist', 'fieldset:has(legend)')
  await faulty(`${about}&where=weekday:in:9&${RANGE}`, 'This condition does not fit.', 'fieldset:has(.condition)')
  await faulty(`${about}&order=revenue:asc&${RANGE}`, 'The answer cannot be sorted by this.', '[role=alert]')
  await faulty('dataset=nothing', 'There is no such subject.', '[role=alert]')
})

test('an answer without records says so', { skip }, async () => {
  await site.go(page(`${BY_PROVIDER}&from=1990-01-01&to=1990-12-31`.replace(RANGE, '')))
  await user.sees('Nothing matches')
})

test('a condition by an id that the clinic does not have says so', { skip }, async () => {
  const { tab } = site
  const told = `document.querySelector('.answer-part [role=note]')?.innerText ?? ''`
  await visit(`${BY_MONTH}&where=provider:in:dr-cohen,dr-nobody`)
  assert.match(await tab.run<string>(told), /Provider has ids .*: dr-nobody\./)
  await visit(`${BY_MONTH}&where=provider:in:dr-cohen`)
  assert.equal(await tab.run(told), '')
})

test('a question that takes long can be cancelled, and asked again', { skip }, async () => {
  const { tab } = site
  await site.go(page())
  await tab.until(`document.querySelector('.start')`)
  await tab.send('Network.enable')
  const slow = (latency: number) =>
    tab.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    })
  await slow(15_000)
  await user.click(`document.querySelectorAll('.start')[3]`)
  await user.press('Cancel')
  await user.sees('The question was cancelled.')
  assert.equal(await tab.run(`document.body.innerText.includes('The connection is lost')`), false)
  await slow(0)
  await user.press('Ask again')
  await tab.until(lines)
  await tab.send('Network.disable')
})

test('the CSV holds ids, names and plain figures, and no formula', { skip }, async () => {
  const { tab } = site
  await visit(BY_PROVIDER)
  await tab.run(`URL.createObjectURL = (blob) => { window.saved = blob.arrayBuffer(); return '#' }`)
  await user.press('Download CSV')
  await tab.until('window.saved')
  const csv = await tab.run<string>(
    `window.saved.then((bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))`,
  )
  const [header, ...rows] = csv.split('\r\n')
  assert.equal(header, '\uFEFFProvider (id),Provider,Net revenue,Treatments')
  assert.equal(rows.length, (await tab.run<number>(lines)) + 1)
  assert.ok(
    rows.some((row) => row.startsWith(`dr-levi,"'=HYPERLINK(""http://x.example"";""Dr"")",`)),
    csv,
  )
  assert.ok(rows.slice(0, -1).every((row) => /,\d+(\.\d+)?,\d+$/.test(row)))
})

test('the lines to copy ask the same by sc, curl and MCP', { skip }, async () => {
  const { tab } = site
  const folder = await mkdtemp(join(tmpdir(), 'explore-'))
  await symlink(SC, join(folder, 'sc'))
  const environment = {
    PATH: [folder, process.env.PATH].join(delimiter),
    HOME: folder,
    SC_API_KEY: await keyOf(site.owner, site.clinic, allScopes),
  }
  const answerTo = async (line: string) =>
    JSON.parse((await run('sh', ['-c', line], { cwd: folder, env: environment })).stdout)
  const evil = encodeURIComponent(encodeURIComponent(`'; touch hacked; '`))
  try {
    const filtered = `${BY_PROVIDER}&where=provider:not_in:${evil},dr-rosen`
    for (const search of sized({ everyday: [filtered], long: [filtered, BY_PROVIDER, BY_MONTH] })) {
      await visit(search)
      await tab.until(`document.querySelectorAll('.copy-text').length === 3`)
      const [sc = '', curl = '', mcp = ''] = await tab.run<string[]>(
        `[...document.querySelectorAll('.copy-text')].map((one) => one.textContent)`,
      )
      const { data } = await answerTo(`${curl} --silent --show-error`)
      assert.equal(data.rows.length, await tab.run(lines))
      const { data: bySc } = await answerTo(`${sc} --format json`)
      const called = await answerTo(`${mcp} --silent --show-error`)
      assert.deepEqual(bySc.rows, data.rows)
      assert.deepEqual(called.result.structuredContent.data.rows, data.rows)
    }
    await assert.rejects(run('ls', [join(folder, 'hacked')]))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the styles of a page count over those of its components', { skip }, async () => {
  await site.go('/console/explore')
  await site.tab.until(`document.querySelector('.start')`)
  assert.equal(await site.tab.run(`getComputedStyle(document.querySelector('.start')).fontSize`), '15px')
})

test('axe finds nothing in both languages and colour schemes, no page is too wide, and no script is refused', {
  skip,
}, async () => {
  const { tab } = site
  const faults = await faultsOfPages(site, sized(VIEWS), {
    questions: async (width) => {
      await site.go(page(), width)
      await tab.until(`document.querySelector('.start')`)
    },
    answer: async (width) => {
      await visit(BY_PROVIDER, width)
      const isHebrew = await tab.run<boolean>(`document.documentElement.lang === 'he'`)
      await user.sees(isHebrew ? 'הכנסות נטו' : 'Net revenue')
    },
    chart: async (width) => {
      await visit(`${BY_MONTH}&where=provider:in:dr-cohen`, width)
      await tab.until(`document.querySelector('.chart svg')`)
    },
    faulty: async (width) => {
      await site.go(page(`${BY_PROVIDER}&measures=x`), width)
      await tab.until(`${lines} || ${ALERT}`)
    },
  })
  assert.deepEqual(faults, [])
})
