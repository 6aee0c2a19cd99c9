// Records that were erased with their patient: no source brings their data back under the same id (docs/decisions/0120).
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql, type Transaction } from '@clinic-data/database'

/** In place of a name that may not be missing. */
export const NO_NAME = '-'

export const erasedKinds = ['patient', 'call', 'chat_conversation', 'chat_message', 'lead'] as const
export type ErasedKind = (typeof erasedKinds)[number]

/** A record of this table can be erased. */
export function canBeErased(table: string): table is ErasedKind {
  return (erasedKinds as readonly string[]).includes(table)
}

/** Those of these ids whose records were erased. */
export async function erasedAmong(
  tx: Pick<Transaction, 'query'>,
  clinic: Clinic,
  kind: ErasedKind,
  ids: readonly (string | null)[],
): Promise<Set<string>> {
  const named = [...new Set(ids)].filter((id) => id !== null)
  if (named.length === 0) return new Set()
  const { rows } = await tx.query<{ id: string }>(selectErased(clinic, kind, named))
  return new Set(rows.map(({ id }) => id))
}

export function selectErased({ clinic_id }: Clinic, kind: ErasedKind, ids: readonly string[]): Statement {
  return sql`select id from erased_record where clinic_id = ${clinic_id} and kind = ${kind} and id = any(${ids}::text[])`
}

/** Whether a record of this id was erased. */
export function isErased({ clinic_id }: Pick<Clinic, 'clinic_id'>, kind: ErasedKind, id: Statement): Statement {
  return sql`exists (select from erased_record erased
    where erased.clinic_id = ${clinic_id} and erased.kind = ${kind} and erased.id = ${id})`
}

/** A record that names nobody any more stays an erased patient's: its system may forget the patient too. */
export async function keptErasedPatients<R extends { readonly id: string; readonly patient_id: string | null }>(
  tx: Transaction,
  clinic: Clinic,
  table: 'appointment' | 'payment',
  records: readonly R[],
): Promise<readonly R[]> {
  const unnamed = records.flatMap(({ id, patient_id }) => (patient_id === null ? id : []))
  if (unnamed.length === 0) return records
  const { rows } = await tx.query<{ id: string; patient_id: string }>(sql`
    select stored.id, stored.patient_id from ${sql.identifier(table)} stored where stored.clinic_id = ${clinic.clinic_id}
      and stored.id = any(${unnamed}::text[]) and ${isErased(clinic, 'patient', sql`stored.patient_id`)}`)
  const patients = new Map(rows.map(({ id, patient_id }) => [id, patient_id]))
  return records.map((record) => ({ ...record, patient_id: record.patient_id ?? patients.get(record.id) ?? null }))
}

/** A record of an erased patient is stored without its free text. */
export async function withoutTextOfErased<R extends { readonly patient_id: string | null }>(
  tx: Transaction,
  clinic: Clinic,
  records: readonly R[],
  blank: (record: R) => R,
): Promise<readonly R[]> {
  const patients = records.map(({ patient_id }) => patient_id)
  const erased = await erasedAmong(tx, clinic, 'patient', patients)
  if (erased.size === 0) return records
  return records.map((record) => (erased.has(record.patient_id ?? '') ? blank(record) : record))
}
