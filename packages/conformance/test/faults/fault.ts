// A fault of a wrong backend, and the queries and rows that several faults change.
import type { Clinic } from '@clinic-data/contract'
import type { FastifyInstance } from 'fastify'
import type { Input, Row, Wrap } from '../wrong-backends.ts'

export interface Fault {
  says: string
  breaks: readonly string[]
  wrap?: Wrap
  /** Registers hooks before the port's routes. */
  before?: (app: FastifyInstance, token: string) => void
}

/** Two clinics, and the id of a key of each. */
export interface TwoClinics {
  first: { clinic: Clinic; key_id: string }
  second: { clinic: Clinic; key_id: string }
}

export const calls = ['calls.list', 'calls.get', 'patients.calls.list'] as const
export type Query = Input['query']
export const byChange = ({ updated_since }: Query) => updated_since !== undefined
export const later = (text: unknown, ms: number) => new Date(Date.parse(String(text)) + ms).toISOString()
export const isLower = (text: unknown) => String(text) === String(text).toLowerCase()
export const reversed = (rows: Row[]) => rows.toReversed()

/** Whether this filter is the only one of a query. With null, whether there is none. */
export function isAlone(name: string | null) {
  return ({ limit: _, after: __, ...query }: Query) =>
    Object.entries(query).every(([one, value]) => (one === name) === (value !== undefined))
}
