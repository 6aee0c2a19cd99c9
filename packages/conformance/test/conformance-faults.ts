// Wrong backends for the conformance kit: each fault names the rules that must fail because of it. No others may fail.
// The faults of one batch do not affect each other, so they are tried together in one backend.

import type { Fault, TwoClinics } from './faults/fault.ts'
import { filters } from './faults/filter-faults.ts'
import { ids } from './faults/id-faults.ts'
import { isolation, oneClinic } from './faults/isolation-faults.ts'
import { lists } from './faults/list-faults.ts'
import { port } from './faults/port-faults.ts'
import { writes } from './faults/write-faults.ts'

export type Batch = 'port' | 'lists' | 'filters' | 'ids' | 'isolation' | 'one clinic' | 'writes'

/** The batches of faults, by topic. */
export function faultBatches(two: TwoClinics): Readonly<Record<Batch, readonly Fault[]>> {
  return { port, lists, filters, ids, isolation: isolation(two), 'one clinic': oneClinic(two), writes: writes(two) }
}
