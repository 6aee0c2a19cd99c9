// Counts the results of a store.
import type { Stored } from '../src/storing/record-table.ts'

export async function counted(storing: Promise<Stored>) {
  const { inserted, updated, unchanged } = await storing
  return { inserted: inserted.size, updated: updated.size, unchanged }
}
