// Stores two batches at a time: while the database works on one, the next is read and sent.

import { type Database, sql } from '@clinic-data/database'

/**
 * More do not help a database with two cores. Share locks on rows that many name (a branch, a status) become slower with every
 * transaction that holds them.
 */
const LANES = 2

/**
 * @param batches no two of which hold the same id.
 * @param stored the database and the table of the rows.
 * @throws the first error, after the other transactions have ended. Begins no more of them.
 */
export async function inLanes<B>(
  batches: AsyncGenerator<B>,
  { database, table }: { database: Database; table: string },
  store: (batch: B) => Promise<void>,
): Promise<void> {
  let failed = false
  let isFirst = true
  const lane = async () => {
    try {
      while (!failed) {
        const { value, done } = await batches.next()
        if (done) return
        await store(value)
        if (isFirst) {
          isFirst = false
          await learnSize(database, table)
        }
      }
    } catch (error) {
      failed = true
      throw error
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane))
  await batches.return(undefined)
  const broken = lanes.find(({ status }) => status === 'rejected')
  if (broken?.status === 'rejected') throw broken.reason
}

/**
 * PostgreSQL keeps its plans for an empty table until its statistics change: each check of a foreign key would use the wrong
 * index, and the time of a first import would grow with the square of its rows. A role that does not own the table only gets
 * a warning.
 */
async function learnSize(database: Database, table: string): Promise<void> {
  await database.query(sql`analyze ${sql.identifier(table)}`)
}
