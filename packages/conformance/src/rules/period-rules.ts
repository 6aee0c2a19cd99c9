// Periods: `from` and `to` are inclusive, as instants and as the clinic's own days; `updated_since` is inclusive too.
import type { Operation } from '@clinic-data/contract'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { Question, Walk } from '../clinic-under-test.ts'
import { periodColumn } from '../list-orders.ts'
import { idOf, type Row, rowInWords, textAt } from '../row.ts'
import type { Rule, Trial } from '../rule.ts'
import { spread } from '../subjects.ts'
import { withQuery } from './filter-rules.ts'

interface Period {
  operation: Operation
  subject: Question
  column: string
  whole: Walk
  /** Rows with a time, in the order of the list. */
  timed: readonly (Row & { at: string })[]
}

/** How many rows of a list give the times to ask for. */
const TIMES = 3

async function* periods(trial: Trial): AsyncGenerator<Period> {
  for (const operation of trial.reads('page')) {
    const column = periodColumn(operation)
    const [subject] = await trial.subjects.of(operation)
    if (column === null || !('from' in operation.query.properties) || !subject) continue
    const whole = await trial.clinic.list(operation, subject)
    const timed = whole.rows.flatMap((row) => timedBy(row, column))
    if (timed.length === 0) trial.untried.add(`${operation.id}: no row has a ${column}`)
    yield { operation, subject, column, whole, timed: spread(timed, TIMES) }
  }
}

function timedBy(row: Row, column: string): (Row & { at: string })[] {
  const at = textAt(row, column)
  return at === null || Number.isNaN(Date.parse(at)) ? [] : [{ ...row, at }]
}

const hold: Rule = {
  name: 'periods.hold',
  protects: 'A list for a period shows no row from outside it, and no row without a time.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, subject, column, timed } of periods(trial)) {
      for (const { at } of timed) {
        for (const query of [{ from: at }, { to: at }, { from: at, to: at }]) {
          const question = withQuery(subject, query)
          const { rows } = await trial.clinic.beginning(operation, question)
          const wrong = rows.find((row) => !isWithin(textAt(row, column), query))
          trial
            .saw(operation, question, `${rowInWords(wrong)}, whose ${column} does not`)
            .expect(`only rows whose ${column} lies in the period`, wrong === undefined)
        }
      }
    }
  },
}

function isWithin(text: string | null, { from, to }: { from?: string; to?: string }): boolean {
  if (text === null) return false
  const at = Date.parse(text)
  return (from === undefined || at >= Date.parse(from)) && (to === undefined || at <= Date.parse(to))
}

const inclusive: Rule = {
  name: 'periods.inclusive',
  protects: 'Both bounds are inclusive, whatever their offset: no row falls between two periods.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, subject, column, timed } of periods(trial)) {
      for (const row of timed) {
        for (const at of [row.at, new Date(row.at).toISOString()]) {
          const question = withQuery(subject, { from: at, to: at })
          const { rows } = await trial.clinic.beginning(operation, question)
          trial.saw(operation, question, `${rows.length} other rows`).expect(
            `${rowInWords(row)}, whose ${column} is this instant`,
            rows.some((one) => idOf(one) === idOf(row)),
          )
        }
      }
    }
  },
}

const days: Rule = {
  name: 'periods.days',
  protects: 'A day is a whole day in the clinic’s time zone: today’s list holds all of today.',
  needs: ['clinic'],
  async check(trial) {
    const dayOf = (text: string) => zonedInstant(new Date(text), trial.clinic.clinic.time_zone, 0).slice(0, 10)
    for await (const { operation, subject, column, whole, timed } of periods(trial)) {
      for (const day of new Set(timed.map(({ at }) => dayOf(at)))) {
        const question = withQuery(subject, { from: day, to: day })
        const found = await trial.clinic.beginning(operation, question)
        const ofDay = ({ at }: { at: string }) => dayOf(at) === day
        const ids = new Set(found.rows.map(idOf))
        const wrong = found.rows.find((row) => !timedBy(row, column).some(ofDay))
        const lost = whole.rows.flatMap((row) => timedBy(row, column)).find((row) => ofDay(row) && !ids.has(idOf(row)))
        trial
          .saw(
            operation,
            question,
            wrong ? `${rowInWords(wrong)}, which does not` : `${found.rows.length} rows without ${rowInWords(lost)}`,
          )
          .expect(
            `every row whose ${column} lies on this day in ${trial.clinic.clinic.time_zone}, and no other`,
            wrong === undefined && (lost === undefined || !found.isWhole),
          )
      }
    }
  },
}

/** Lists that take `updated_since`. Of a list too long to read to its end, one day is read if the list has days. */
async function* changing(trial: Trial): AsyncGenerator<Pick<Period, 'operation' | 'subject' | 'whole'>> {
  for (const operation of trial.reads('page')) {
    const { properties } = operation.query
    const [subject] = await trial.subjects.of(operation)
    if (!subject || !('updated_since' in properties)) continue
    const column = 'from' in properties ? periodColumn(operation) : null
    const whole = await trial.clinic.list(operation, subject)
    const rows = column === null ? [] : whole.rows.flatMap((row) => timedBy(row, column))
    const middle = rows[Math.floor(rows.length / 2)]
    if (whole.isWhole || !middle) yield { operation, subject, whole }
    else {
      const narrow = withQuery(subject, { from: middle.at.slice(0, 10), to: middle.at.slice(0, 10) })
      yield { operation, subject: narrow, whole: await trial.clinic.list(operation, narrow) }
    }
  }
}

/** Asks with `updated_since` at the changes of some rows. */
async function* changes(trial: Trial) {
  for await (const { operation, subject, whole } of changing(trial)) {
    const rows = whole.rows
      .flatMap((row) => timedBy(row, 'updated_at'))
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    if (rows.length === 0) trial.untried.add(`${operation.id}: no row has an updated_at`)
    for (const row of spread(rows, TIMES)) {
      const question = withQuery(subject, { updated_since: row.at })
      yield { operation, question, row, rows, found: await trial.clinic.list(operation, question) }
    }
  }
}

const since: Rule = {
  name: 'changes.hold',
  protects: '`updated_since` shows only what has changed since, so a client need not read everything each time.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, row, found } of changes(trial)) {
      const wrong = found.rows.find((one) => !isWithin(textAt(one, 'updated_at'), { from: row.at }))
      trial
        .saw(operation, question, `${rowInWords(wrong)}, whose updated_at is not`)
        .expect('only rows whose updated_at is this instant or later', wrong === undefined)
    }
  },
}

const sinceInclusive: Rule = {
  name: 'changes.inclusive',
  protects: '`updated_since` is inclusive: a second change in the same millisecond is not lost between two reads.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, row, found } of changes(trial)) {
      trial.saw(operation, question, `${found.rows.length} other rows`).expect(
        `${rowInWords(row)}, whose updated_at is this instant`,
        found.rows.some((one) => idOf(one) === idOf(row)),
      )
    }
  },
}

const sinceComplete: Rule = {
  name: 'changes.complete',
  protects: '`updated_since` loses no change, so a copy of the clinic’s data that is updated by it stays complete.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, row, rows, found } of changes(trial)) {
      if (!found.isWhole) {
        trial.untried.add(`${operation.id}: too many changes to read them all`)
        continue
      }
      const ids = new Set(found.rows.map(idOf))
      // Another rule checks the row at the instant itself.
      const lost = rows.find((one) => Date.parse(one.at) > Date.parse(row.at) && !ids.has(idOf(one)))
      trial
        .saw(operation, question, `${found.rows.length} other rows`)
        .expect(`${rowInWords(lost)}, which has changed since`, lost === undefined)
    }
  },
}

export const periodRules: readonly Rule[] = [hold, inclusive, days, since, sinceInclusive, sinceComplete]
