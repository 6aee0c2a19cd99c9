// The postal address of a branch or a patient.
import { MAX } from '../limits.ts'
import { named, nullable, object, text } from '../schema/schema.ts'

export const Address = named(
  'Address',
  object({
    street: nullable(text(MAX.address_line)),
    city: nullable(text(MAX.address_line)),
    postal_code: nullable(text(MAX.code)),
    country: nullable(text(2, { format: 'country', description: 'ISO 3166-1 alpha-2.' })),
  }),
  { street: '12 Herzl', city: 'Haifa', postal_code: '3303001', country: 'IL' },
)
