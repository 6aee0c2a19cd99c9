// Procedure and Claim → recorded treatments with prices. The code gives the catalog treatment.

import { Skip } from '../skip.ts'
import { charges } from './claims.ts'
import { instantOf, knownIds, namesIn, type ResourceImport } from './fhir-import.ts'
import type { Claim, Procedure } from './fhir-r4.ts'
import { TreatmentBatch } from './treatment-batch.ts'

export const importProcedures: ResourceImport<Procedure> = async (tx, context, resources, tally) => {
  const { references, prices } = context
  const batch = await TreatmentBatch.of(tx, context, {
    patients: namesIn(resources, ({ subject }) => [references.idOf(subject?.reference)]),
    encounters: namesIn(resources, ({ encounter }) => [references.idOf(encounter?.reference)]),
  })
  const actors = namesIn(resources, ({ performer }) => [references.idOf(performer?.[0]?.actor?.reference)])
  const providers = await knownIds(tx, context.clinic, 'provider', actors)
  await batch.store(resources, tally, ({ id, resource }) => {
    const { status, code, subject, encounter, performer, performedPeriod, performedDateTime } = resource
    if (status !== 'completed') throw new Skip('is not completed')
    const record = batch.record(id, { patient: subject, encounter, code, thousandths: prices.of(id) })
    const actor = references.idOf(performer?.[0]?.actor?.reference)
    const performed_at = instantOf(performedDateTime) ?? instantOf(performedPeriod?.start)
    return batch.dated(
      { ...record, provider_id: actor !== null && providers.has(actor) ? actor : record.provider_id },
      performed_at,
    )
  })
}

/**
 * A procedure's price is the charge of its claim. Each other item with a price is a treatment of its own, for example a
 * vaccine. The rest of the total is the price of the first item without one: the visit itself.
 */
export const importClaims: ResourceImport<Claim> = async (tx, context, resources, tally) => {
  const { references } = context
  const batch = await TreatmentBatch.of(tx, context, {
    patients: namesIn(resources, ({ patient }) => [references.idOf(patient?.reference)]),
    encounters: namesIn(resources, ({ item = [] }) =>
      item.flatMap(({ encounter = [] }) => encounter.map(({ reference }) => references.idOf(reference))),
    ),
  })
  await batch.store(resources, tally, ({ id, resource }) => {
    const { patient, item = [], billablePeriod, created } = resource
    const encounter = item.flatMap(({ encounter = [] }) => encounter)[0]
    return charges(resource, context.clinic.currency).map(({ item, price }) => {
      const record = batch.record(`${id}-${item.sequence ?? 0}`, {
        patient,
        encounter: item.encounter?.[0] ?? encounter,
        code: item.productOrService,
        thousandths: price,
      })
      const quantity = Number.isInteger(item.quantity?.value) ? (item.quantity?.value ?? 1) : 1
      const { servicedPeriod, servicedDate } = item
      const dates = [servicedDate, servicedPeriod?.start, billablePeriod?.start, created].map(instantOf)
      return batch.dated({ ...record, quantity }, dates.find((text) => text !== null) ?? null)
    })
  })
}
