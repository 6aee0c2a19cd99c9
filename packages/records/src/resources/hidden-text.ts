// The form that an erasure leaves of a text which names a record elsewhere, such as a payment's `external_id`.
import { hash } from 'node:crypto'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'

const HIDDEN = '^erased-[0-9a-f]{64}$'
const hidden = new RegExp(HIDDEN)

/** A repetition of the text is still known by this form, which shows nobody. */
export function hiddenText(text: string): string {
  return isHidden(text) ? text : `erased-${hash('sha256', text)}`
}

/** The form of a column's text. */
export function hiddenTextOf(column: Statement): Statement {
  return sql`case when ${isHiddenIn(column)} then ${column}
    else 'erased-' || encode(sha256(convert_to(${column}, 'UTF8')), 'hex') end`
}

export function isHidden(text: string): boolean {
  return hidden.test(text)
}

/** Whether a column's text is hidden. */
export function isHiddenIn(column: Statement): Statement {
  return sql`${column} ~ ${HIDDEN}`
}

/** The hidden form of the id that another system gave a record. Two clinics have two forms of one id. */
export function hiddenExternalId({ clinic_id }: Pick<Clinic, 'clinic_id'>, external_id: string): string {
  return isHidden(external_id) ? external_id : hiddenText(`${clinic_id} ${external_id}`)
}

/** The forms in which such an id may be stored. */
export function formsOfExternalId(clinic: Clinic, external_id: string): string[] {
  return [external_id, hiddenExternalId(clinic, external_id)]
}
