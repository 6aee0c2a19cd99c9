// The steps of a FHIR import. Each takes its types of resources from all bundles.

import { type Database, DatabaseError } from '@clinic-data/database'
import { addTally, emptyTally, type ImportReport, skip, tallyOf } from '../import-report.ts'
import { readBundle } from './bundle-reader.ts'
import { importEncounters } from './encounters.ts'
import type { ImportContext, Read, ResourceImport } from './fhir-import.ts'
import type { BundleEntry, Resource } from './fhir-r4.ts'
import { importBenefits } from './payments.ts'
import { importOrganizations, importPatients, importPractitioners } from './people.ts'
import { resourceId } from './references.ts'
import { importClaims, importProcedures } from './treatments.ts'

export type ImportStep = Readonly<Record<string, ResourceImport<never>>>

/** No step needs a record of a later one. */
export const STEPS: readonly ImportStep[] = [
  { Organization: importOrganizations, Practitioner: importPractitioners, Patient: importPatients },
  { Encounter: importEncounters },
  { Procedure: importProcedures, Claim: importClaims, ExplanationOfBenefit: importBenefits },
]

export function isImported(type: string): boolean {
  return STEPS.some((step) => Object.hasOwn(step, type))
}

const CREATING = ['POST', 'PUT']

/** How many resources one transaction stores. */
const BATCH = 500

export class BundleImport {
  readonly #database: Database
  readonly #context: ImportContext
  readonly #report: ImportReport
  /** Many bundles hold the same people and places. The first one counts, so that a second run changes nothing. */
  readonly #seen = new Set<string>()
  readonly #waiting = new Map<string, Read<Resource>[]>()

  constructor(database: Database, context: ImportContext, report: ImportReport) {
    this.#database = database
    this.#context = context
    this.#report = report
  }

  /** Takes a bundle's resources of a step. Stores them in batches; `finish` stores the last one. */
  async take(path: string, step: ImportStep): Promise<void> {
    for await (const entries of readBundle(path)) {
      for (const entry of entries) {
        const type = entry?.resource?.resourceType ?? ''
        const read = Object.hasOwn(step, type) ? this.#taken(type, entry) : null
        if (read === null) continue
        const batch = this.#waiting.get(type) ?? []
        this.#waiting.set(type, batch)
        if (batch.push(read) >= BATCH) await this.#store(type, step, batch.splice(0))
      }
    }
  }

  async finish(step: ImportStep): Promise<void> {
    for (const [type, batch] of this.#waiting) if (batch.length > 0) await this.#store(type, step, batch)
    this.#waiting.clear()
  }

  /** Null for a resource that is left out. It has been counted. */
  #taken(type: string, entry: BundleEntry): Read<Resource> | null {
    const { resource, request } = entry
    const tally = tallyOf(this.#report, type)
    const id = resourceId(entry)
    if (resource === undefined || id === null) {
      skip(tally, 'has no id')
      return null
    }
    if (request?.method !== undefined && !CREATING.includes(request.method)) {
      skip(tally, 'is not to be created or updated')
      return null
    }
    if (Object.hasOwn(STEPS[0] ?? {}, type)) {
      const key = `${type} ${id}`
      if (this.#seen.has(key)) {
        tally.unchanged += 1
        return null
      }
      this.#seen.add(key)
    }
    return { id, resource }
  }

  /** Stores records one by one when the database refuses a batch, and leaves out those that it refuses. */
  async #store(type: string, step: ImportStep, batch: readonly Read<Resource>[]): Promise<void> {
    try {
      await this.#storeTogether(type, step, batch)
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      if (batch.length > 1) for (const one of batch) await this.#store(type, step, [one])
      else skip(tallyOf(this.#report, type), `was refused by the database (${error.code})`)
    }
  }

  async #storeTogether(type: string, step: ImportStep, batch: readonly Read<Resource>[]): Promise<void> {
    const load = step[type]
    if (load === undefined) return
    const tally = emptyTally()
    // The type of the resource chooses the table.
    await this.#database.write(this.#context.clinic, (tx) =>
      load(tx, this.#context, batch as readonly Read<never>[], tally),
    )
    addTally(tallyOf(this.#report, type), tally)
  }
}
