// The postal address inside a branch's or a patient's record, and its four columns.

import { MAX } from '@clinic-data/contract'
import { nullable, type Static, strictObject, text } from '@clinic-data/contract/schema'
import { type Column, derived } from './storing/record-table.ts'

export const AddressRecord = strictObject({
  street: nullable(text(MAX.address_line), { description: 'Street and house number.' }),
  city: nullable(text(MAX.address_line)),
  postal_code: nullable(text(MAX.code)),
  country: nullable(text(2, { format: 'country' })),
})
export type AddressRecord = Static<typeof AddressRecord>

export const addressColumns: readonly Column<{ readonly address: AddressRecord | null }>[] = [
  derived('street', ({ address }) => address?.street ?? null),
  derived('city', ({ address }) => address?.city ?? null),
  derived('postal_code', ({ address }) => address?.postal_code ?? null),
  derived('country', ({ address }) => address?.country ?? null),
]
