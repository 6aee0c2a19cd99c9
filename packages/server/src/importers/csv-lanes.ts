// Stores batches two at a time: while the database works on one, the next is read and sent.

/**
 * More do not help where the database has two cores, and share locks on rows that many name (a branch, a status) cost the
 * more the more transactions hold them.
 */
const LANES = 2

/**
 * @param batches whose rows cannot meet: no two hold one id.
 * @throws the first error; what is under way then has ended, and nothing more is begun.
 */
export async function inLanes<B>(batches: AsyncGenerator<B>, store: (batch: B) => Promise<void>): Promise<void> {
  let failed = false
  const lane = async () => {
    try {
      while (!failed) {
        const { value, done } = await batches.next()
        if (done) return
        await store(value)
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
