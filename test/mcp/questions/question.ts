// A question that people ask an agent, how a model answers it with the tools, and the true answer straight from the tables.
import { type Statement, sql } from '@clinic-data/database'
import type { Walker } from './walker.ts'

export interface Question {
  readonly words: string
  walk(agent: Walker): Promise<unknown>
  /** Never empty: an empty answer would prove little. */
  truth(): Promise<unknown>
}

/** The tables, in a session of the clinic: days are the clinic's. */
export interface Tables {
  readonly clinic_id: string
  /** The moment of the questions. */
  readonly now: Date
  rows<R extends object>(statement: Statement): Promise<R[]>
  /** The first row. @throws when there is none */
  one<R extends object>(statement: Statement): Promise<R>
}

/** A figure by its label, in the order of the rows. */
export function labelled(rows: readonly { label: string; figure: number }[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ label, figure }) => [label, figure]))
}

/** The clinic's day, in SQL. */
export function todayOf(now: Date): Statement {
  return sql`${now}::timestamptz::date`
}
