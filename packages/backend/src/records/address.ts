// The postal address inside a branch's or a patient's record, and its four columns.

import { MAX } from '@clinic-data/contract'
import { type Bounds, country, faultsOf, nullable, type Rule, text } from './bounds.ts'
import { type Column, columnsOf } from './record-table.ts'

export type AddressRecord = {
  street: string | null
  city: string | null
  postal_code: string | null
  /** ISO 3166-1 alpha-2. */
  country: string | null
}

const bounds: Bounds<AddressRecord> = {
  street: nullable(text(MAX.address_line)),
  city: nullable(text(MAX.address_line)),
  postal_code: nullable(text(MAX.code)),
  country: nullable(country),
}

export const addressBounds: Rule = (value) => {
  if (value === null) return null
  const [fault] = faultsOf(bounds, value as AddressRecord)
  return fault === undefined ? null : `${fault.field} ${fault.reason}`
}

export function addressColumns<R extends { address: AddressRecord | null }>(): Column<R>[] {
  const { derived } = columnsOf<R>()
  return [
    derived('street', ({ address }) => address?.street ?? null),
    derived('city', ({ address }) => address?.city ?? null),
    derived('postal_code', ({ address }) => address?.postal_code ?? null),
    derived('country', ({ address }) => address?.country ?? null),
  ]
}
