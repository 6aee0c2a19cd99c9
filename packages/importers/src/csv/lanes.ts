// Stores batches two at a time: while the database works on one, the next is read and sent.

import { type Database, sql } from '@clinic-data/database'

/**
 * More do not help where the database has two cores, and share locks on rows that many name (a branch, a status) cost the
 * more the more transactions hold them.
 */
const LANES = 2

/**
 * @param batches whose rows cannot meet: no two hold one id.
 * @param stored The database and the table that the rows go into.
 * @throws the first error; what is under way then has ended, and nothing more is begun.
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
 * What PostgreSQL has planned for an empty table it keeps until it hears of more: each check of a foreign key would walk
 * through the rows by the wrong index, and a first import take time with the square of its rows. A role that does not own
 * the table is refused by a warning.
 */
async function learnSize(database: Database, table: string): Promise<void> {
  await database.query(sql`analyze ${sql.identifier(table)}`)
}
