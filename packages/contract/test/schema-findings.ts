// The findings of a schema, as the validator's tests compare them.

import { validatorOf } from '../src/input/validator.ts'
import type { TSchema } from '../src/schema/schema.ts'

export const about = { country: 'IL' }

/** `place code` of each finding. */
export function findings(schema: TSchema, value: unknown): string[] {
  return validatorOf(schema)(value, about).map(({ place, code }) => `${place} ${code}`)
}

export function detail(schema: TSchema, value: unknown): string | undefined {
  return validatorOf(schema)(value, about)[0]?.detail
}
