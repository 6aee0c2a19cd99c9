// The demo clinic's patients: each is computed from its number, so none is kept in memory.

import { type ContactRecord, PatientRecord } from '@clinic-data/records/patients'
import { complete } from '@clinic-data/records/storing/complete-record'
import { type ClinicPlan, drawFor } from './clinic-plan.ts'
import { EXAMPLE_PATIENT, examplePatient, examplePhone } from './examples/story.ts'
import { dateText, instantText } from './local-days.ts'
import { CITIES, FIRST_NAMES, LAST_NAMES, type Script } from './names.ts'
import type { Random } from './random.ts'

/** Patients register in the order of their numbers. This share has registered before the demo's first day. */
const REGISTERED_BEFORE = 0.55
const YEARS_BEFORE = 8

export const FIRST_PATIENT_NUMBER = 1001

export function patientId(index: number): string {
  return `p${index + FIRST_PATIENT_NUMBER}`
}

/** How many patients have registered by the beginning of a day. */
export function patientsBy(plan: ClinicPlan, day: number): number {
  const share = Math.min(1, Math.max(0, (day - plan.firstDay) / (plan.today - plan.firstDay)))
  return Math.max(1, Math.floor(plan.patients * (REGISTERED_BEFORE + (1 - REGISTERED_BEFORE) * share)))
}

export function registrationDay(plan: ClinicPlan, index: number): number {
  const part = index / plan.patients
  if (part < REGISTERED_BEFORE) {
    return plan.firstDay - Math.ceil((1 - part / REGISTERED_BEFORE) * YEARS_BEFORE * 365)
  }
  const share = (part - REGISTERED_BEFORE) / (1 - REGISTERED_BEFORE)
  return plan.firstDay + Math.floor(share * (plan.today - plan.firstDay))
}

/** A child shares the phone of the patient before. */
export function isChild(plan: ClinicPlan, index: number): boolean {
  return index % 12 === 11 && index < plan.patients
}

const MOBILE_PREFIXES = ['050', '052', '053', '054', '058'] as const

/** Seven digits that begin with 0 or 1: no subscriber has such a number. */
const NUMBERS_PER_PREFIX = 2_000_000

/** Makes a different mobile number for each of up to ten million patients, written as people write them. */
export function patientPhone(plan: ClinicPlan, index: number): string {
  const owner = isChild(plan, index) ? index - 1 : index
  if (owner === EXAMPLE_PATIENT) return examplePhone()
  const phone = phoneNumbered(owner)
  // Whose number the example has, has the example's.
  return phone === examplePhone() ? phoneNumbered(EXAMPLE_PATIENT) : phone
}

function phoneNumbered(owner: number): string {
  const round = Math.floor(owner / NUMBERS_PER_PREFIX)
  const prefix = MOBILE_PREFIXES[(owner + round) % MOBILE_PREFIXES.length]
  // A step that is coprime to the range reaches each number once.
  const rest = String((owner * 7919 + 104_729) % NUMBERS_PER_PREFIX).padStart(7, '0')
  return `${prefix}-${rest.slice(0, 3)}-${rest.slice(3)}`
}

export function patient(plan: ClinicPlan, index: number): PatientRecord {
  const draw = drawFor(plan, 'patient', index)
  const child = isChild(plan, index)
  const script: Script = draw.chance(0.6) ? 'hebrew' : 'english'
  const gender = draw.chance(0.53) ? 'female' : 'male'
  const day = registrationDay(plan, index)
  const created = plan.days.at(day, draw.whole(8 * 60, 18 * 60)) + draw.whole(0, 59_999)
  const age = child ? draw.whole(4, 15) : Math.round(18 + 66 * draw.next() ** 1.2)
  const first_name = draw.pick(FIRST_NAMES[script][gender])
  const last_name = draw.pick(LAST_NAMES[script])
  const hasEmail = !child && draw.chance(0.72)
  const email = hasEmail ? `${latin(first_name, index)}.${index + FIRST_PATIENT_NUMBER}@example.com` : null
  const contacts = child ? [] : contactsOf(plan, index, draw)
  const updated = draw.chance(0.3) ? created + Math.floor((plan.now - created) * draw.next()) : created
  return complete(PatientRecord, {
    id: patientId(index),
    first_name,
    last_name,
    phone: patientPhone(plan, index),
    email,
    gender: draw.chance(0.97) ? gender : null,
    birth_date: dateText(plan.today - Math.floor(age * 365.25) - draw.whole(0, 364)),
    status_id: draw.weighted([
      ['active', 82],
      ['inactive', 14],
      ['vip', 4],
    ] as const),
    address: draw.chance(0.85) ? addressOf(draw) : null,
    id_number: draw.chance(0.7) ? idNumber(index) : null,
    contacts,
    ...(index === EXAMPLE_PATIENT && examplePatient()),
    created_at: instantText(created),
    updated_at: instantText(updated),
  })
}

function contactsOf(plan: ClinicPlan, index: number, draw: Random): ContactRecord[] {
  const contacts: ContactRecord[] = []
  if (draw.chance(0.2)) {
    const value = `04-8${String((index * 613) % 100_000).padStart(6, '0')}`
    contacts.push({ type: 'phone', value, label: 'home', is_primary: false })
  }
  if (draw.chance(0.08)) {
    const value = `office${index % plan.patients}@example.org`
    contacts.push({ type: 'email', value, label: 'work', is_primary: false })
  }
  return contacts
}

function addressOf(draw: Random): PatientRecord['address'] {
  const { city, street, postal } = draw.pick(CITIES)
  const postal_code = `${postal}${String(draw.whole(0, 99_999)).padStart(5, '0')}`
  return { street: `${street} ${draw.whole(1, 140)}`, city, postal_code, country: 'IL' }
}

/** In the form of an Israeli identity number, from a range that is not issued. */
function idNumber(index: number): string {
  return String(index % 1_000_000).padStart(9, '0')
}

function latin(name: string, index: number): string {
  const plain = name.normalize('NFKD').replace(/[^a-zA-Z]/g, '')
  return plain === '' ? `patient${index % 97}` : plain.toLowerCase()
}
