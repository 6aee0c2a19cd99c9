// Where the statements about a person are asked: a database, or a transaction that goes on to change what it has read.
import type { Clinic } from '@clinic-data/contract'
import type { Database, Statement, Transaction } from '@clinic-data/database'

export type Reader = Pick<Database, 'read'>

export function readerOf(tx: Transaction): Reader {
  return { read: async <R extends object>(_: Clinic, statement: Statement) => (await tx.query<R>(statement)).rows }
}
