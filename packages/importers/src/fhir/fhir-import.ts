// How one type of FHIR resource is imported: mapped to records, checked, stored, counted.

import type { Clinic } from '@clinic-data/contract'
import { isRecordedInstant } from '@clinic-data/contract/formats'
import type { Finding } from '@clinic-data/contract/validator'
import { sql, type Transaction } from '@clinic-data/database'
import { skip, type Tally } from '../import-report.ts'
import { reasonOf, Skip } from '../skip.ts'
import type { ProcedurePrices } from './claims.ts'
import type { Resource } from './fhir-r4.ts'
import type { References } from './references.ts'

export type ImportContext = {
  clinic: Clinic
  /** The creation time of a record whose resource gives none. */
  now: string
  /**
   * The `updated_at` of imported rows, whenever they changed at their origin: a reader of `updated_since` must find a row
   * after it was imported.
   */
  storedAt: () => string
  references: References
  /** Collected from the claims of all bundles. */
  prices: ProcedurePrices
}

/** A resource and the id under which it is stored. */
export type Read<T extends Resource> = { id: string; resource: T }

export type ResourceImport<T extends Resource> = (
  tx: Transaction,
  context: ImportContext,
  resources: readonly Read<T>[],
  tally: Tally,
) => Promise<void>

/** Maps resources to records. Leaves out those that cannot be mapped or are out of bounds. */
export function mapped<T extends Resource, R>(
  resources: readonly Read<T>[],
  map: (read: Read<T>) => R | readonly R[],
  check: (record: R) => Finding[],
  tally: Tally,
): R[] {
  return resources.flatMap((read) => {
    try {
      return [map(read)].flat().filter((record) => isWithin(check(record as R), tally)) as R[]
    } catch (error) {
      // The file may hold a list where an object should be, and the like.
      if (!(error instanceof Skip) && !(error instanceof TypeError)) throw error
      skip(tally, error instanceof Skip ? error.message : 'is not formed as FHIR R4 says')
      return []
    }
  })
}

function isWithin(findings: readonly Finding[], tally: Tally): boolean {
  const [finding] = findings
  if (finding !== undefined) skip(tally, reasonOf(finding))
  return finding === undefined
}

/** The ids that resources name, to look them up together. A malformed one names none; mapping it reports the fault. */
export function namesIn<T extends Resource, N>(
  resources: readonly Read<T>[],
  namedBy: (resource: T) => readonly N[],
): N[] {
  return resources.flatMap(({ resource }) => {
    try {
      return namedBy(resource)
    } catch (error) {
      if (error instanceof TypeError) return []
      throw error
    }
  })
}

/** When a record was created: the first time that the resource gives, or now. Never later than now. */
export function madeAt(context: ImportContext, ...candidates: (string | null | undefined)[]): string {
  const first = candidates.map(instantOf).find((text) => text !== null) ?? context.now
  return Date.parse(first) < Date.parse(context.now) ? first : context.now
}

/** Null for a year or a month alone, and for anything that is no instant. */
export function instantOf(text: string | null | undefined): string | null {
  return typeof text === 'string' && isRecordedInstant(text) ? text : null
}

/** Finds which of the ids are in a table of the clinic. */
export async function knownIds(
  tx: Transaction,
  { clinic_id }: Clinic,
  table: 'patient' | 'provider' | 'branch',
  ids: Iterable<string | null>,
): Promise<Set<string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  const { rows } = await tx.query<{ id: string }>(sql`
    select id from ${sql.identifier(table)} where clinic_id = ${clinic_id} and id = any(${wanted}::text[])`)
  return new Set(rows.map(({ id }) => id))
}
