// The six catalogs: a clinic's reference data.
import { MAX } from '../limits.ts'
import { absentIs, Color, Id, Money, named, nullable, object, Type, text, whole } from '../schema/schema.ts'
import { Address } from './address.ts'

export const Branch = named(
  'Branch',
  object({
    id: Id,
    name: text(MAX.name),
    phone: nullable(text(MAX.phone)),
    address: nullable(Address, { description: 'Where the branch is.' }),
    color: nullable(Color),
  }),
  {
    id: 'haifa',
    name: 'Haifa',
    phone: '04-812-3456',
    address: { street: '12 Herzl', city: 'Haifa', postal_code: '3303001', country: 'IL' },
    color: '#e76f51',
  },
)

export const AppointmentType = named(
  'AppointmentType',
  object({ id: Id, name: text(MAX.name), duration_minutes: whole(0, MAX.duration_minutes), color: nullable(Color) }),
  { id: 'checkup', name: 'Check-up', duration_minutes: 30, color: '#2a9d8f' },
)

export const AppointmentStatus = named(
  'AppointmentStatus',
  object({
    id: Id,
    name: text(MAX.name),
    color: Color,
    enabled: Type.Boolean({ description: 'Whether the clinic uses it.' }),
  }),
  { id: 'confirmed', name: 'Confirmed', color: '#457b9d', enabled: true },
)

export const CatalogTreatment = named(
  'CatalogTreatment',
  object({
    id: Id,
    name: text(MAX.name),
    code: nullable(text(MAX.code), { description: "The procedure's code in the clinic's price list." }),
    price: nullable(Money, { description: 'Default price.' }),
    color: nullable(Color),
    category_id: nullable(Id, { description: 'Groups the treatments of the menu.' }),
    category_name: nullable(text(MAX.name), absentIs(null)),
  }),
  {
    id: 'cleaning',
    name: 'Cleaning',
    code: 'D1110',
    price: 350,
    color: null,
    category_id: 'hygiene',
    category_name: 'Hygiene',
  },
)

export const Provider = named(
  'Provider',
  object({
    id: Id,
    name: text(MAX.name),
    type: text(MAX.name, { description: 'The profession, as the clinic names it.' }),
    color: nullable(Color),
  }),
  { id: 'dr-cohen', name: 'Dr. Maya Cohen', type: 'dentist', color: '#264653' },
)

export const BillingAccount = named(
  'BillingAccount',
  object({
    id: Id,
    business_name: text(MAX.name, { description: 'Printed on receipts.' }),
    business_id: nullable(text(MAX.code, { description: 'Registered business number, printed on receipts.' })),
  }),
  { id: 'main', business_name: 'Carmel Dental Ltd', business_id: '514000000' },
)
