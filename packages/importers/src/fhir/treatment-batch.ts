// Treatments that are stored together: the clinic's records that they need, and the catalog treatments that they add.

import { sql, type Transaction } from '@clinic-data/database'
import { CatalogTreatmentRecord, catalogTreatmentKind, checkCatalogTreatment } from '@clinic-data/records/catalog'
import { majorUnits } from '@clinic-data/records/resources/money'
import { type Brief, complete } from '@clinic-data/records/storing/complete-record'
import { checkTreatment, storeTreatments, TreatmentRecord } from '@clinic-data/records/treatments'
import { addStored, type Tally } from '../import-report.ts'
import { reasonOf, Skip } from '../skip.ts'
import { type ImportContext, knownIds, madeAt, mapped, type Read } from './fhir-import.ts'
import { type CodeableConcept, codeOf, type Reference, type Resource } from './fhir-r4.ts'

type Place = { branch_id: string | null; provider_id: string | null }

/** A treatment without its times. */
type Undated = Place & Omit<Brief<TreatmentRecord>, 'performed_at' | 'created_at' | 'updated_at'>

/** The clinic's records that the treatments of a batch need. */
export class TreatmentBatch {
  readonly #tx: Transaction
  readonly #context: ImportContext
  readonly #patients: Set<string>
  readonly #appointments: Map<string, Place>
  readonly #catalog = new Map<string, CatalogTreatmentRecord>()

  private constructor(
    tx: Transaction,
    context: ImportContext,
    patients: Set<string>,
    appointments: Map<string, Place>,
  ) {
    this.#tx = tx
    this.#context = context
    this.#patients = patients
    this.#appointments = appointments
  }

  static async of(
    tx: Transaction,
    context: ImportContext,
    ids: { patients: readonly (string | null)[]; encounters: readonly (string | null)[] },
  ): Promise<TreatmentBatch> {
    const patients = await knownIds(tx, context.clinic, 'patient', ids.patients)
    return new TreatmentBatch(tx, context, patients, await placesOf(tx, context, ids.encounters))
  }

  /** Requires a known patient. A known encounter gives branch and provider. */
  record(
    id: string,
    treatment: {
      patient: Reference | undefined
      encounter: Reference | undefined
      code: CodeableConcept | undefined
      thousandths: number | null
    },
  ): Undated {
    const { references } = this.#context
    const patient_id = references.idOf(treatment.patient?.reference)
    if (patient_id === null || !this.#patients.has(patient_id)) throw new Skip('is of a patient who is not known')
    const appointment_id = references.idOf(treatment.encounter?.reference)
    const place = appointment_id === null ? undefined : this.#appointments.get(appointment_id)
    return {
      id,
      patient_id,
      catalog_treatment_id: this.#catalogId(treatment.code, treatment.thousandths),
      provider_id: place?.provider_id ?? null,
      branch_id: place?.branch_id ?? null,
      appointment_id: place === undefined ? null : appointment_id,
      quantity: 1,
      price: majorUnits(treatment.thousandths),
      discount: 0,
    }
  }

  dated(record: Undated, performed_at: string | null): TreatmentRecord {
    const created_at = madeAt(this.#context, performed_at)
    const updated_at = this.#context.storedAt()
    return complete(TreatmentRecord, { ...record, performed_at, created_at, updated_at })
  }

  async store<T extends Resource>(
    resources: readonly Read<T>[],
    tally: Tally,
    map: (read: Read<T>) => TreatmentRecord | readonly TreatmentRecord[],
  ): Promise<void> {
    const { clinic } = this.#context
    const records = mapped(resources, map, checkTreatment, tally)
    await catalogTreatmentKind.store(this.#tx, clinic, [...this.#catalog.values()], 'keep')
    addStored(tally, await storeTreatments(this.#tx, clinic, records))
  }

  /** Makes the catalog treatment with the first price that appears. The clinic may change it afterwards. */
  #catalogId(concept: CodeableConcept | undefined, thousandths: number | null): string | null {
    const known = codeOf(concept)
    if (known === null) return null
    const { code, name } = known
    if (this.#catalog.has(code)) return code
    const record = complete(CatalogTreatmentRecord, { id: code, name, code, price: majorUnits(thousandths) })
    const [finding] = checkCatalogTreatment(record)
    if (finding !== undefined) throw new Skip(`code: ${reasonOf(finding)}`)
    this.#catalog.set(code, record)
    return code
  }
}

async function placesOf(
  tx: Transaction,
  { clinic }: ImportContext,
  ids: readonly (string | null)[],
): Promise<Map<string, Place>> {
  const { rows } = await tx.query<Place & { id: string }>(sql`
    select a.id, a.branch_id, p.provider_id
    from appointment a left join appointment_provider p
      on p.clinic_id = ${clinic.clinic_id} and p.appointment_id = a.id and p.position = 0
    where a.clinic_id = ${clinic.clinic_id} and a.id = any(${[...new Set(ids)]}::text[])`)
  return new Map(rows.map(({ id, ...place }) => [id, place]))
}
