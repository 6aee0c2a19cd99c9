// Tells whose a record is that names no patient: by phones and e-mails, and by names.
import { foldName } from '@clinic-data/contract/folded-name'
import { type Statement, sql } from '@clinic-data/database'

/** A patient of a clinic. */
export interface OfClinic {
  readonly clinic: { readonly clinic_id: string }
  readonly patient_id: string
}

/** The parts of a name in its folded form. */
export function partsOf(...names: readonly (string | null | undefined)[]): ReadonlySet<string> {
  const folded = foldName(names.filter((name) => name != null).join(' '))
  return new Set(folded === '' ? [] : folded.split(' '))
}

/**
 * Whether a name may be the person's: one of the two has all parts of the other. A first name alone is enough beside a phone that
 * nobody else has. No name is nobody's.
 */
export function isNameOf({ name }: { readonly name: ReadonlySet<string> }, other: ReadonlySet<string>): boolean {
  if (name.size === 0 || other.size === 0) return false
  return other.isSubsetOf(name) || name.isSubsetOf(other)
}

/** `theirs`: no other patient has it. `shared`: another one has it too. */
export type Whose = 'theirs' | 'shared' | 'either'

/** The phones or e-mails of the person in the form in which they are compared, as an array. */
export function contactsOf({ clinic, patient_id }: OfClinic, type: 'phone' | 'email', whose: Whose): Statement {
  const { clinic_id } = clinic
  const another = sql`exists (select from patient_contact other where other.clinic_id = ${clinic_id} and other.type = ${type}
    and other.value_normal = own.value_normal and other.patient_id <> ${patient_id})`
  const narrowed = { theirs: sql`not ${another}`, shared: another, either: sql`true` }[whose]
  return sql`array(select own.value_normal from patient_contact own where own.clinic_id = ${clinic_id}
    and own.patient_id = ${patient_id} and own.type = ${type} and own.value_normal is not null and ${narrowed})`
}

/** Condition on a lead: it has a phone or an e-mail of the person. */
export const withContact = (person: OfClinic, lead: Statement, whose: Whose): Statement =>
  sql`(${lead}.phone_normal = any(${contactsOf(person, 'phone', whose)})
    or ${lead}.email_folded = any(${contactsOf(person, 'email', whose)}))`
