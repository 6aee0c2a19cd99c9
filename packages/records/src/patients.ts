// Stores patients with their contacts and the keys for name search.

import { type Clinic, MAX } from '@clinic-data/contract'
import { foldName } from '@clinic-data/contract/folded-name'
import { normalPhone } from '@clinic-data/contract/phone'
import {
  choice,
  GivenId,
  Id,
  LocalDate,
  list,
  nullable,
  type Static,
  strictObject,
  Type,
  text,
} from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import { AddressRecord, addressColumns } from './address.ts'
import { foldEmail } from './folded-email.ts'
import { nameKeys } from './names/name-keys.ts'
import { keySound } from './names/name-sounds.ts'
import { patientFields } from './resources/patient.ts'
import { addChildren, type ChildTable, replaceChildren } from './storing/child-rows.ts'
import { recordKind } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedAt } from './storing/record-schema.ts'
import { createdDate, derived, recordTable, type Stored, stored } from './storing/record-table.ts'
import { storedOf, storeRows, touchRows } from './storing/store-rows.ts'

export const ContactRecord = strictObject({
  type: choice(['phone', 'email']),
  value: text(MAX.email, {
    minLength: 1,
    description: `As the clinic stores it; a phone of at most ${MAX.phone} characters.`,
  }),
  label: nullable(text(MAX.name), { description: 'What the clinic calls it, for example `mobile`.' }),
  is_primary: Type.Boolean({ description: 'The first contact of a type that is marked so is the primary one.' }),
})
export type ContactRecord = Static<typeof ContactRecord>

/** Two places are reserved for the primary contacts. */
const MOST_CONTACTS = MAX.contacts - 2

const primaryOf = (type: string) =>
  `The primary ${type}; null takes the first primary contact of the type, else the first.`

export const PatientRecord = strictObject({
  id: GivenId,
  first_name: nullable(text(MAX.person_name)),
  last_name: nullable(text(MAX.person_name)),
  phone: nullable(text(MAX.phone), { description: primaryOf('phone') }),
  email: nullable(text(MAX.email), { description: primaryOf('email') }),
  gender: nullable(choice(['male', 'female'])),
  birth_date: nullable(LocalDate, { description: '`YYYY-MM-DD`.' }),
  status_id: nullable(Id, { description: "One of the clinic's own statuses of patients." }),
  address: nullable(AddressRecord),
  id_number: nullable(text(MAX.id_number), { description: 'National id or passport number.' }),
  contacts: list(ContactRecord, MOST_CONTACTS, {
    description: 'Every phone and email. The primary ones need not be repeated here.',
  }),
  ...RecordedAt,
})
export type PatientRecord = Static<typeof PatientRecord>

export function checkPatient(record: PatientRecord): Finding[] {
  const findings = findingsIn(PatientRecord, record)
  if (findings.length > 0) return findings
  return record.contacts.flatMap(({ type, value }, at) =>
    type === 'phone' && value.length > MAX.phone
      ? { place: `/contacts/${at}/value`, code: 'too_long', detail: `must have at most ${MAX.phone} characters` }
      : [],
  )
}

/** Store at most a few thousand at a time: each writes about eight rows. */
export async function storePatients(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PatientRecord[],
): Promise<Stored> {
  const latest = new Map(records.map((record) => [record.id, record]))
  const ids = await storeRows(tx, clinic, patientTable, [...latest.values()])
  const added: PatientRecord[] = []
  const present: PatientRecord[] = []
  for (const record of latest.values()) {
    if (ids.erased?.has(record.id)) continue
    if (ids.inserted.has(record.id)) added.push(record)
    else present.push(record)
  }

  await addChildren(tx, clinic, contacts, added.flatMap(contactsOf))
  await addChildren(tx, clinic, names, added.flatMap(namesOf))
  if (present.length > 0) {
    const otherContacts = await replaceChildren(
      tx,
      clinic,
      contacts,
      new Map(present.map((r) => [r.id, contactsOf(r)])),
    )
    const renamed = present.filter((record) => ids.updated.has(record.id))
    await replaceChildren(tx, clinic, names, new Map(renamed.map((r) => [r.id, namesOf(r)])))
    const touched = present.filter((record) => otherContacts.has(record.id) && !ids.updated.has(record.id))
    await touchRows(tx, clinic, patientTable, touched)
    for (const record of touched) ids.updated.add(record.id)
  }
  return storedOf(records, ids)
}

const patientTable = recordTable<PatientRecord>()({
  name: 'patient',
  fields: {
    id: 'key',
    ...stored(patientFields),
    status_id: 'stored',
    id_number: 'stored',
    phone: (record) => primary(record, 'phone'),
    email: (record) => primary(record, 'email'),
    address: addressColumns,
    contacts: 'elsewhere',
    created_at: 'once',
    updated_at: 'updated',
  },
  more: [
    derived('name_folded', ({ first_name, last_name }) => foldName(`${first_name ?? ''} ${last_name ?? ''}`)),
    ...createdDate,
  ],
})

type StoredContact = ContactRecord & { patient_id: string; position: number }

const contacts: ChildTable<StoredContact> = {
  rows: recordTable<StoredContact>()({
    name: 'patient_contact',
    fields: {
      patient_id: 'key',
      position: 'key',
      ...stored(['type', 'value', 'label', 'is_primary']),
    },
    more: [
      derived('value_normal', ({ type, value }, { country }) =>
        type === 'phone' ? normalPhone(value, country) : foldEmail(value),
      ),
    ],
  }),
  parent: 'patient_id',
  compared: ['position', 'type', 'value', 'value_normal', 'label', 'is_primary'],
}

type StoredName = { patient_id: string; key: string }

const names: ChildTable<StoredName> = {
  rows: recordTable<StoredName>()({
    name: 'patient_name',
    fields: { key: 'key', patient_id: 'key' },
    more: [derived('sound', ({ key }) => keySound(key))],
  }),
  parent: 'patient_id',
  compared: ['key'],
}

function namesOf({ id: patient_id, first_name, last_name }: PatientRecord): StoredName[] {
  return nameKeys(first_name, last_name).map((key) => ({ patient_id, key }))
}

function primary(record: PatientRecord, type: ContactRecord['type']): string | null {
  if (record[type] !== null) return record[type]
  const ofType = record.contacts.filter((contact) => contact.type === type)
  return (ofType.find(({ is_primary }) => is_primary) ?? ofType[0])?.value ?? null
}

/** The primary contacts come first if the list lacks them. Exactly one of each type is primary. */
function contactsOf(record: PatientRecord): StoredContact[] {
  const all: ContactRecord[] = [...record.contacts]
  for (const type of ['email', 'phone'] as const) {
    const value = primary(record, type)
    const at = all.findIndex((contact) => contact.type === type && contact.value === value)
    if (value !== null && at === -1) all.unshift({ type, value, label: null, is_primary: true })
  }
  const seen = new Set<string>()
  return all.map(({ type, value, label }, position) => {
    const is_primary = value === primary(record, type) && !seen.has(type)
    if (is_primary) seen.add(type)
    return { patient_id: record.id, position, type, value, label, is_primary }
  })
}

export const patientKind = recordKind<PatientRecord>({
  record: PatientRecord,
  table: 'patient',
  references: { status_id: 'patient_status' },
  check: checkPatient,
  store: storePatients,
})
