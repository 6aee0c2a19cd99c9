// Why one resource of an import is left out.

import type { Finding } from '@clinic-data/contract/validator'

/** Words a record's findings as a reason: `first_name must have at most 120 characters`. */
export function reasonOf({ place, detail }: Finding): string {
  return `${place.slice(1)} ${detail}`.trimStart()
}

/** Thrown while a resource is mapped. It is left out, and counted under the reason. */
export class Skip extends Error {
  override readonly name = 'Skip'
}
