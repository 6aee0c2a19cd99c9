// Filters: a list shows all rows that satisfy its filters, and no others.
import type { Clinic, Operation } from '@clinic-data/contract'
import type { ClinicUnderTest, Question, Walk } from '../clinic-under-test.ts'
import { asking, finds, listFilters } from '../list-filters.ts'
import { isRefused } from '../outcome.ts'
import { idOf, type Row, rowInWords } from '../row.ts'
import type { Rule, Trial } from '../rule.ts'
import { spread } from '../subjects.ts'

/** A list, the filters that it takes, and its rows without filters. */
export interface Filterable {
  operation: Operation
  /** Read in the detailed form, if there is one: it holds more of the filtered values. */
  subject: Question
  names: readonly string[]
  whole: Walk
}

export async function* filterables(trial: Trial): AsyncGenerator<Filterable> {
  for (const operation of trial.reads('page')) {
    const [first] = await trial.subjects.of(operation)
    if (!first) continue
    const subject = operation.detailed ? withQuery(first, { response_format: 'detailed' }) : first
    const names = Object.keys(operation.query.properties).filter((name) => name in listFilters)
    yield { operation, subject, names, whole: await trial.clinic.list(operation, subject) }
  }
}

/** Adds filters to a question. */
export function withQuery(subject: Question, query: Readonly<Record<string, unknown>>): Question {
  return { ...subject, query: { ...subject.query, ...query } }
}

/** Tries each filter of each list with up to three values: a frequent one, a rare one and one that no row has. */
async function* filtered(trial: Trial) {
  for await (const filterable of filterables(trial)) {
    const { operation, subject, names, whole } = filterable
    for (const name of names) {
      const values = valuesOf(name, operation, whole.rows, trial.clinic)
      if (values.length === 0) trial.untried.add(`${operation.id}: no row has a value for ${name}`)
      for (const value of values) {
        const question = withQuery(subject, { [name]: value })
        yield { ...filterable, name, value, question, found: await trial.clinic.beginning(operation, question) }
      }
    }
  }
}

function valuesOf(name: string, operation: Operation, rows: readonly Row[], { clinic }: ClinicUnderTest): unknown[] {
  const times = new Map<unknown, number>()
  for (const row of rows) {
    const value = asking(name, row, clinic)
    if (value !== undefined) times.set(value, (times.get(value) ?? 0) + 1)
  }
  const seen = [...times].sort(([, a], [, b]) => b - a).map(([value]) => value)
  const { enum: choices = [] } = operation.query.properties[name] as { enum?: readonly unknown[] }
  const unseen = choices.find((choice) => !times.has(choice))
  return [...new Set([seen[0], seen.at(-1), unseen])].filter((value) => value !== undefined)
}

const hold: Rule = {
  name: 'filters.hold',
  protects: 'A filter shows only rows that satisfy it. An ignored filter shows a client the rows of other patients.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, name, value, question, found } of filtered(trial)) {
      trial.saw(operation, question, found.broken ?? '').expect('a page', found.broken === null)
      const wrong = found.rows.find((row) => finds(name, value, row, trial.clinic.clinic) === false)
      trial
        .saw(operation, question, `${rowInWords(wrong)}, which does not, among ${found.rows.length} rows`)
        .expect(`only rows that satisfy ${name}`, wrong === undefined)
    }
  },
}

/** Before all changes. */
const EVER = '1970-01-01T00:00:00Z'

const ofChanges: Rule = {
  name: 'filters.of-changes',
  protects: 'A filter holds among the changes too. A client that syncs one method of payment gets no other.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, name, value, question } of filtered(trial)) {
      if (!('updated_since' in operation.query.properties)) continue
      const since = withQuery(question, { updated_since: EVER })
      const found = await trial.clinic.beginning(operation, since)
      const wrong = found.rows.find((row) => finds(name, value, row, trial.clinic.clinic) === false)
      trial
        .saw(operation, since, found.broken ?? `${rowInWords(wrong)}, which does not`)
        .expect(`only changed rows that satisfy ${name}`, found.broken === null && wrong === undefined)
    }
  },
}

const complete: Rule = {
  name: 'filters.complete',
  protects: 'A filter loses no row that satisfies it. Nobody prepares an appointment that is not shown.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, name, value, question, found, whole } of filtered(trial)) {
      // Rows come in the list's order, so the first of them are among the first of the whole list. A search has another order.
      if (found.broken || (!found.isWhole && name === 'query')) continue
      const looked = found.isWhole ? whole.rows : whole.rows.slice(0, found.rows.length)
      const ids = new Set(found.rows.map(idOf))
      const lost = looked.find((row) => finds(name, value, row, trial.clinic.clinic) === true && !ids.has(idOf(row)))
      trial
        .saw(operation, question, `${found.rows.length} other rows`)
        .expect(`${rowInWords(lost)}, which satisfies it and is in the unfiltered list`, lost === undefined)
    }
  },
}

/** How many rows are looked at to find one that distinguishes two filters. */
const COMPARED_ROWS = 60

const combine: Rule = {
  name: 'filters.combine',
  protects:
    'Filters combine by AND: `branch_id` and `has_recording` give only the branch’s calls that have a recording.',
  needs: ['clinic'],
  async check(trial) {
    for await (const filterable of filterables(trial)) {
      const { names, whole } = filterable
      const rows = spread(whole.rows, COMPARED_ROWS)
      for (const [i, one] of names.entries()) {
        for (const other of names.slice(i + 1)) {
          const row = tellingRow(rows, one, other, trial.clinic.clinic)
          if (row) await together(trial, filterable, row, [one, other])
        }
      }
      const askable = (row: Row) => names.filter((name) => asking(name, row, trial.clinic.clinic) !== undefined)
      const [most] = rows.toSorted((a, b) => askable(b).length - askable(a).length)
      if (most && askable(most).length > 2) await together(trial, filterable, most, askable(most))
    }
  },
}

const MOST_CANDIDATES = 8

/** Finds a row whose values show whether both filters work: other rows satisfy only one of the two. */
function tellingRow(rows: readonly Row[], one: string, other: string, clinic: Clinic): Row | undefined {
  const candidates = rows.flatMap((row) => {
    const [a, b] = [asking(one, row, clinic), asking(other, row, clinic)]
    return a === undefined || b === undefined ? [] : [{ row, a, b }]
  })
  const tells = ({ a, b }: { a: unknown; b: unknown }) =>
    rows.some((row) => finds(one, a, row, clinic) === true && finds(other, b, row, clinic) === false) &&
    rows.some((row) => finds(one, a, row, clinic) === false && finds(other, b, row, clinic) === true)
  return (candidates.slice(0, MOST_CANDIDATES).find(tells) ?? candidates[0])?.row
}

/** Asks with several filters at once, using the values of a row. */
async function together(
  trial: Trial,
  { operation, subject }: Filterable,
  row: Row,
  names: readonly string[],
): Promise<void> {
  const { clinic } = trial.clinic
  const valued = names.map((name) => [name, asking(name, row, clinic)] as const)
  const question = withQuery(subject, Object.fromEntries(valued))
  const found = await trial.clinic.beginning(operation, question)
  // Other rules check each filter by itself.
  const alone: Walk[] = []
  for (const [name, value] of valued)
    alone.push(await trial.clinic.beginning(operation, withQuery(subject, { [name]: value })))
  const kept = valued.filter(([name, value], i) =>
    alone[i]?.rows.every((one) => finds(name, value, one, clinic) !== false),
  )
  const wrong = found.rows.find((one) => kept.some(([name, value]) => finds(name, value, one, clinic) === false))
  trial
    .saw(operation, question, found.broken ?? `${rowInWords(wrong)}, which does not`)
    .expect(`only rows that satisfy ${names.join(' and ')}`, found.broken === null && wrong === undefined)
  if (!found.isWhole || alone.some(({ rows, isWhole }) => isWhole && !has(rows, row))) return
  trial
    .saw(operation, question, `${found.rows.length} other rows`)
    .expect(`${rowInWords(row)}, which satisfies ${names.join(' and ')}`, has(found.rows, row))
}

function has(rows: readonly Row[], row: Row): boolean {
  return rows.some((one) => idOf(one) === idOf(row))
}

const unknownIds: Rule = {
  name: 'filters.unknown-id',
  protects: 'A filter by an id that does not exist gives an empty list, not everything and not an error.',
  needs: ['clinic'],
  async check(trial) {
    for (const operation of [...trial.reads('page'), ...trial.reads('bounded')]) {
      const [subject] = await trial.subjects.of(operation)
      if (!subject) continue
      for (const [name, unknown] of Object.entries(operation.unknownIds)) {
        for (const id of UNKNOWN_IDS) {
          const question = withQuery(subject, { [name]: id })
          const outcome = await trial.clinic.known(operation, question)
          // Free slots of an unknown branch are a 404, not an empty list.
          const isMissing = unknown === 'not-found'
          const isRight = isMissing
            ? isRefused(outcome, 'not-found')
            : outcome.kind === 'answered' && outcome.rows.length === 0 && outcome.next === null
          trial.saw(operation, question, outcome).expect(isMissing ? 'the problem not-found' : 'an empty list', isRight)
        }
      }
    }
  },
}

/** Ids that no clinic has, or that a careless SQL statement would take for more than text. */
export const UNKNOWN_IDS: readonly string[] = [
  'no-such-id-7f3a',
  '%',
  '_',
  "' or '1'='1",
  '0',
  '-1',
  '1e9',
  '9'.repeat(128),
  'שלום',
  '../patients',
]

const literal: Rule = {
  name: 'filters.literal',
  protects: 'A search looks for its text literally, whatever characters it holds: no wildcard shows the whole list.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, subject, names } of filterables(trial)) {
      for (const name of names.filter((one) => ['query', 'email', 'language'].includes(one))) {
        for (const text of ['%', '_', '%@%', '%%%', '*', '.*', "' or '1'='1", '\\', '";--']) {
          const question = withQuery(subject, { [name]: text })
          const outcome = await trial.clinic.ask(operation, { ...question, limit: 100 })
          const rows = outcome.kind === 'answered' ? outcome.rows : []
          const wrong = rows.find((row) => finds(name, text, row, trial.clinic.clinic) !== true)
          trial
            .saw(operation, `${name}=${text}`, outcome)
            .expect('no row, or the problem invalid-request', outcome.kind !== 'unusable' && wrong === undefined)
        }
      }
    }
  },
}

export const filterRules: readonly Rule[] = [hold, ofChanges, complete, combine, unknownIds, literal]
