// Patients come, move house and change their phones.
import { CITIES, FIRST_NAMES, LAST_NAMES } from '../../names.ts'
import type { LivingClinic } from '../living-clinic.ts'
import type { Action } from './action.ts'

const PATH = '/patients'

async function come(clinic: LivingClinic): Promise<boolean> {
  const { random } = clinic
  const script = random.pick(['hebrew', 'english'] as const)
  const gender = random.pick(['male', 'female'] as const)
  const person = {
    id: clinic.newId('p'),
    first_name: random.pick(FIRST_NAMES[script][gender]),
    phone: phoneOf(clinic),
  }
  await clinic.tell(
    PATH,
    {
      ...person,
      last_name: random.pick(LAST_NAMES[script]),
      gender,
      birth_date: `${random.whole(1940, 2015)}-${two(random.whole(1, 12))}-${two(random.whole(1, 28))}`,
    },
    'patient.created',
  )
  clinic.people.push(person)
  return true
}

async function change(clinic: LivingClinic): Promise<boolean> {
  const { random } = clinic
  const patient = clinic.sentTo(PATH).pick(random)
  if (patient === undefined) return false
  const { city, street } = random.pick(CITIES)
  const address = {
    street: `${street} ${random.whole(1, 90)}`,
    city,
    postal_code: String(random.whole(1_000_000, 9_999_999)),
    country: 'IL',
  }
  await clinic.tell(PATH, { ...patient, address }, 'patient.updated')
  return true
}

export function phoneOf({ random }: LivingClinic): string {
  return `05${random.whole(0, 8)}-${random.whole(100, 999)}-${random.whole(1000, 9999)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

export const patientActions: readonly Action[] = [
  { name: 'a patient comes', weight: 2, run: come },
  { name: 'a patient moves house', weight: 1, run: change },
]
