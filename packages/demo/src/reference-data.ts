// The demo clinic's catalog: branches, providers, types and statuses of appointments, the treatment menu, accounts.

import type { Static, TObject, TProperties } from '@clinic-data/contract/schema'
import type { Transaction } from '@clinic-data/database'
import {
  AppointmentStatusRecord,
  AppointmentTypeRecord,
  appointmentStatusKind,
  appointmentTypeKind,
  BillingAccountRecord,
  BranchRecord,
  billingAccountKind,
  branchKind,
  CatalogTreatmentRecord,
  catalogTreatmentKind,
  PatientStatusRecord,
  ProviderRecord,
  patientStatusKind,
  providerKind,
  TreatmentCategoryRecord,
  treatmentCategoryKind,
} from '@clinic-data/records/catalog'
import { type Brief, complete } from '@clinic-data/records/storing/complete-record'
import type { ClinicPlan } from './clinic-plan.ts'

const COLORS = ['#264653', '#2a9d8f', '#e9c46a', '#f4a261', '#e76f51', '#457b9d', '#8d99ae', '#6d597a'] as const

const BRANCHES = [
  {
    slug: 'haifa',
    name: 'Haifa',
    phone: '04-812-3456',
    street: '12 Herzl',
    city: 'Haifa',
    postal_code: '3303001',
  },
  {
    slug: 'tel-aviv',
    name: 'Tel Aviv',
    phone: '03-612-3456',
    street: '88 Dizengoff',
    city: 'Tel Aviv',
    postal_code: '6433222',
  },
  {
    slug: 'jerusalem',
    name: 'Jerusalem',
    phone: '02-512-3456',
    street: '31 Jaffa',
    city: 'Jerusalem',
    postal_code: '9422108',
  },
] as const

function branches({ branches: count }: ClinicPlan): BranchRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const { slug: _slug, name, phone, ...place } = of(BRANCHES, i)
    const again = Math.floor(i / BRANCHES.length)
    const address = { ...place, country: 'IL' }
    const record = { id: branchId(i), name: again === 0 ? name : `${name} ${again + 1}`, phone, address }
    return complete(BranchRecord, { ...record, color: of(COLORS, i) })
  })
}

export function branchPhone(index: number): string {
  return of(BRANCHES, index).phone
}

export function branchId(index: number): string {
  return numbered(of(BRANCHES, index).slug, Math.floor(index / BRANCHES.length))
}

/** Reads an id that `branchId` made. */
export function branchIndex(id: string): number {
  const [, name, number = '1'] = /^(.+?)(?:-(\d+))?$/.exec(id) ?? []
  return BRANCHES.findIndex(({ slug }) => slug === name) + (Number(number) - 1) * BRANCHES.length
}

/** `haifa`, then `haifa-2`, `haifa-3` … */
function numbered(slug: string, again: number): string {
  return again === 0 ? slug : `${slug}-${again + 1}`
}

const PROVIDERS = [
  ['dr-cohen', 'Dr. Maya Cohen', 'dentist'],
  ['dr-levi', 'ד"ר יואב לוי', 'dentist'],
  ['dr-khoury', 'Dr. Omar Khoury', 'endodontist'],
  ['mizrahi', 'שירה מזרחי', 'hygienist'],
  ['dr-petrov', 'Dr. Anna Petrov', 'orthodontist'],
  ['dr-shapira', 'ד"ר נעמה שפירא', 'dentist'],
  ['dr-rosen', 'Dr. Daniel Rosen', 'oral surgeon'],
  ['navon', 'Tamar Navon', 'hygienist'],
  ['dr-ben-david', 'ד"ר אורי בן-דוד', 'dentist'],
  ['dr-klein', 'Dr. Rita Klein', 'periodontist'],
  ['dr-harari', 'ד"ר רון הררי', 'dentist'],
  ['haddad', 'Samira Haddad', 'hygienist'],
] as const

function providers({ providers: count }: ClinicPlan): ProviderRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const [, name, type] = of(PROVIDERS, i)
    const again = Math.floor(i / PROVIDERS.length)
    const record = { id: providerId(i), name: again === 0 ? name : `${name} ${again + 1}`, type }
    return complete(ProviderRecord, { ...record, color: of(COLORS, i) })
  })
}

export function providerId(index: number): string {
  return numbered(of(PROVIDERS, index)[0], Math.floor(index / PROVIDERS.length))
}

/** A type of appointment: how often it is booked, and the probabilities of its treatments. */
export type VisitKind = AppointmentTypeRecord & {
  weight: number
  treatments: readonly (readonly [catalog_treatment_id: string, probability: number])[]
  plan: string | null
}

function visit(
  id: string,
  name: string,
  duration_minutes: number,
  weight: number,
  treatments: VisitKind['treatments'],
  plan: string | null = null,
): VisitKind {
  return { ...complete(AppointmentTypeRecord, { id, name, duration_minutes }), weight, treatments, plan }
}

const kinds: readonly VisitKind[] = [
  visit('checkup', 'Check-up', 30, 30, [
    ['exam', 1],
    ['bitewing', 0.35],
    ['cleaning', 0.2],
  ]),
  visit('hygiene', 'Hygiene', 45, 22, [
    ['cleaning', 1],
    ['fluoride', 0.2],
  ]),
  visit('filling', 'Filling', 45, 16, [['filling', 1]]),
  visit(
    'root-canal',
    'Root canal',
    90,
    5,
    [
      ['root-canal', 1],
      ['periapical', 0.6],
    ],
    'Root canal and crown',
  ),
  visit('crown', 'Crown', 60, 6, [['crown', 1]], 'Root canal and crown'),
  visit('extraction', 'Extraction', 30, 5, [
    ['extraction', 1],
    ['periapical', 0.4],
  ]),
  visit('implant', 'Implant', 90, 3, [['implant', 1]], 'Implants'),
  visit('orthodontics', 'Orthodontic adjustment', 20, 8, [['adjustment', 1]], 'Orthodontics'),
  visit('whitening', 'Whitening', 60, 2, [['whitening', 1]]),
  visit('emergency', 'Emergency', 20, 3, [
    ['exam', 0.8],
    ['periapical', 0.6],
    ['filling', 0.2],
  ]),
]

export const VISIT_KINDS: readonly VisitKind[] = kinds.map((kind, i) => ({ ...kind, color: of(COLORS, i) }))

const APPOINTMENT_STATUSES = whole(AppointmentStatusRecord, [
  { id: 'booked', name: 'Booked', color: '#8d99ae', enabled: true, kind: 'booked' },
  { id: 'confirmed', name: 'Confirmed', color: '#457b9d', enabled: true, kind: 'confirmed' },
  { id: 'arrived', name: 'In the waiting room', color: '#e9c46a', enabled: true, kind: 'arrived' },
  { id: 'completed', name: 'Completed', color: '#2a9d8f', enabled: true, kind: 'completed' },
  { id: 'cancelled', name: 'Cancelled', color: '#e76f51', enabled: true, kind: 'cancelled' },
  { id: 'no-show', name: 'Did not come', color: '#9d0208', enabled: true, kind: 'no_show' },
  { id: 'postponed', name: 'Postponed (no longer used)', color: '#adb5bd', enabled: false, kind: 'cancelled' },
])

const TREATMENT_CATEGORIES = whole(TreatmentCategoryRecord, [
  { id: 'diagnostics', name: 'Diagnostics' },
  { id: 'hygiene', name: 'Hygiene' },
  { id: 'restoration', name: 'Restoration' },
  { id: 'surgery', name: 'Surgery' },
  { id: 'cosmetics', name: 'Orthodontics and cosmetics' },
])

function menu(id: string, name: string, code: string, shekels: number, category_id: string): CatalogTreatmentRecord {
  return complete(CatalogTreatmentRecord, { id, name, code, price: shekels, category_id })
}

export const CATALOG_TREATMENTS: readonly CatalogTreatmentRecord[] = [
  menu('exam', 'Examination', 'D0120', 180, 'diagnostics'),
  menu('bitewing', 'Bitewing X-ray', 'D0272', 90, 'diagnostics'),
  menu('periapical', 'Periapical X-ray', 'D0220', 60, 'diagnostics'),
  menu('cleaning', 'Cleaning', 'D1110', 350, 'hygiene'),
  menu('fluoride', 'Fluoride', 'D1206', 120, 'hygiene'),
  menu('filling', 'Filling', 'D2391', 480, 'restoration'),
  menu('root-canal', 'Root canal', 'D3330', 1900, 'restoration'),
  menu('crown', 'Crown', 'D2740', 2700, 'restoration'),
  menu('extraction', 'Extraction', 'D7140', 520, 'surgery'),
  menu('implant', 'Implant', 'D6010', 5200, 'surgery'),
  menu('adjustment', 'Orthodontic adjustment', 'D8670', 400, 'cosmetics'),
  menu('whitening', 'Whitening', 'D9975', 1400, 'cosmetics'),
]

/** The first belongs to the first branch, the second to all others. */
export const BILLING_ACCOUNTS = [
  { id: 'main', business_name: 'Carmel Dental Ltd', business_id: '514000000', document_type: 'receipt' },
  {
    id: 'centers',
    business_name: 'Carmel Dental Centers Ltd',
    business_id: '514000018',
    document_type: 'tax_invoice_receipt',
  },
] as const satisfies readonly Brief<BillingAccountRecord>[]

export const PATIENT_STATUSES = whole(PatientStatusRecord, [
  { id: 'active', name: 'Active', color: '#2a9d8f' },
  { id: 'inactive', name: 'Inactive', color: '#8d99ae' },
  { id: 'vip', name: 'VIP', color: '#e9c46a' },
])

export async function storeCatalog(tx: Transaction, plan: ClinicPlan): Promise<void> {
  const { clinic } = plan
  const accounts = BILLING_ACCOUNTS.map((account) => complete(BillingAccountRecord, account))
  await branchKind.store(tx, clinic, branches(plan))
  await providerKind.store(tx, clinic, providers(plan))
  await appointmentTypeKind.store(tx, clinic, VISIT_KINDS)
  await appointmentStatusKind.store(tx, clinic, APPOINTMENT_STATUSES)
  await treatmentCategoryKind.store(tx, clinic, TREATMENT_CATEGORIES)
  await catalogTreatmentKind.store(tx, clinic, CATALOG_TREATMENTS)
  await billingAccountKind.store(tx, clinic, accounts)
  await patientStatusKind.store(tx, clinic, PATIENT_STATUSES)
}

function whole<P extends TProperties>(schema: TObject<P>, known: readonly Brief<Static<TObject<P>>>[]) {
  return known.map((record) => complete(schema, record))
}

function of<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new RangeError('the list is empty')
  return item
}
