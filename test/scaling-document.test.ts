// docs/scaling.md shows the tables that the programs make today, and the plan counts as it says.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { costTable, isLayout, type Kind, PARTS } from '../bench/measured-costs.ts'
import { planTable, USUAL } from '../bench/plan.ts'

const root = dirname(import.meta.dirname)
const document = readFileSync(join(root, 'docs/scaling.md'), 'utf8')
const program = join(root, 'bench/plan.ts')
const NOTHING = Object.fromEntries(Object.keys(USUAL.day).map((kind) => [kind, 0])) as Record<Kind, number>

/** A line's first figures are the requests and the processors of each part. */
const PROCESSORS_END = 1 + PARTS.apart.length

/** The figures of a plan's line, without its first one. */
function figuresOf(line: string): number[] {
  const cells = line.split('|').slice(2, -1)
  return cells.map((cell) => Number(cell.replaceAll(',', '').replace('<', '')))
}

test('the document holds the costs and the plan as they are made today', () => {
  for (const layout of Object.keys(PARTS).filter(isLayout)) {
    assert.ok(document.includes(`\n${costTable(layout)}\n`), layout)
    assert.ok(document.includes(`\n${planTable({ ...USUAL, layout })}\n`), layout)
  }
})

test('twice the clinics, twice the traffic or half the use take twice the processors', () => {
  const line = (plan: Partial<typeof USUAL>) =>
    figuresOf(planTable({ ...USUAL, clinics: [1_000], ...plan }).split('\n')[2] ?? '')
  const [requests = 0, gateway = 0, , , database = 0, disk = 0] = line({})
  const twice = line({ clinics: [2_000] })
  const near = (value: number | undefined, wanted: number) =>
    assert.ok(Math.abs((value ?? 0) / wanted - 1) < 0.05, `${value}, ${wanted}`)
  near(twice[0], 2 * requests)
  near(twice[1], 2 * gateway)
  near(twice[4], 2 * database)
  near(twice[5], 2 * disk)
  near(line({ use: USUAL.use / 2 })[1], 2 * gateway)
  assert.ok((line({ auditDays: 90 })[5] ?? 0) < disk / 5)
})

test('what comes day and night has no peak, and everything else has', () => {
  const only = (kind: Kind, aDay: number, peak: number) => {
    const day = { ...NOTHING, [kind]: aDay }
    return figuresOf(planTable({ ...USUAL, clinics: [1], day, peak }).split('\n')[2] ?? '').slice(0, PROCESSORS_END)
  }
  const A_DAY = 86_400_000
  for (const kind of Object.keys(USUAL.day) as Kind[]) {
    const [usual, higher] = [only(kind, A_DAY, 3), only(kind, A_DAY, 6)]
    const isEven = kind === 'pages of the event feed'
    if (isEven) assert.equal(usual[0], 1_000)
    // Twice the peak takes what twice the work takes.
    assert.deepEqual(higher, isEven ? usual : only(kind, 2 * A_DAY, 3), kind)
    if (!isEven) assert.notDeepEqual(higher, usual, kind)
  }
})

test('the program takes one’s own figures, and names what it does not know', () => {
  const printed = execFileSync(process.execPath, [program, '--clinics', '50', '--day', 'leads=100000'], {
    encoding: 'utf8',
  })
  const [, gateway = 0] = figuresOf(printed.split('\n')[2] ?? '')
  const [, usual = 0] = figuresOf(planTable({ ...USUAL, clinics: [50] }).split('\n')[2] ?? '')
  assert.ok(gateway > 2 * usual)
  for (const [argv, expected] of [
    [['--day', 'lead=1'], /knows no "lead"/],
    [['--even', 'feeds'], /--even knows no "feeds"/],
    [['--clinics', 'many'], /many is no number/],
    [['--layout', 'aside'], /--layout is one of: apart, together/],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, [program, ...argv], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, expected)
  }
})
