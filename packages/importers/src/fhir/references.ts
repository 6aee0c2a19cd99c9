// Finds the id of the stored record that a FHIR reference leads to.

import type { BundleEntry, Identifier } from './fhir-r4.ts'

export class References {
  /** Full addresses that do not end with the resource's id. */
  readonly #aliases = new Map<string, string>()
  /** References also name practitioners and organizations by an identifier. */
  readonly #identified = new Map<string, string>()

  /** Call it for every entry before references are followed. */
  learn(entry: BundleEntry): void {
    const { fullUrl, resource } = entry
    const id = resourceId(entry)
    if (id === null || resource === undefined) return
    if (typeof fullUrl === 'string' && lastPart(fullUrl) !== id) this.#aliases.set(fullUrl, id)
    if (resource.resourceType !== 'Practitioner' && resource.resourceType !== 'Organization') return
    const { identifier } = resource as { identifier?: Identifier[] }
    for (const one of Array.isArray(identifier) ? identifier : []) {
      if (one?.value !== undefined) {
        this.#identified.set(`${resource.resourceType} ${one.system ?? ''}|${one.value}`, id)
      }
    }
  }

  /**
   * Null for a resource contained in the other one, and for a reference that cannot be read. Does not check that there is
   * such a resource.
   *
   * @example references.idOf('urn:uuid:0f3c…') // '0f3c…'
   * @example references.idOf('Patient/p7/_history/2') // 'p7'
   */
  idOf(reference: unknown): string | null {
    if (typeof reference !== 'string' || reference === '' || reference.startsWith('#')) return null
    const alias = this.#aliases.get(reference)
    if (alias !== undefined) return alias
    const [, type, identifier] = /^([A-Za-z]+)\?identifier=(.+)$/.exec(reference) ?? []
    if (identifier !== undefined) return this.#identified.get(`${type} ${decoded(identifier)}`) ?? null
    return lastPart(reference.replace(/\/_history\/[^/]*$/, '')) || null
  }
}

/** The resource's own id. One that has none yet takes the id from its address in the bundle. */
export function resourceId({ fullUrl, resource }: BundleEntry): string | null {
  const id = resource?.id ?? (typeof fullUrl === 'string' ? lastPart(fullUrl) : null)
  return typeof id === 'string' && id !== '' ? id : null
}

/** The text behind the last slash or colon: `urn:uuid:…`, `Patient/…`, `https://…/Patient/…`. */
function lastPart(address: string): string {
  return address.slice(Math.max(address.lastIndexOf('/'), address.lastIndexOf(':')) + 1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
