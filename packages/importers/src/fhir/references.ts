// From a FHIR reference to the id under which the resource is stored here.

import type { BundleEntry, Identifier } from './fhir-r4.ts'

export class References {
  /** Full addresses whose end is not the resource's id. */
  readonly #aliases = new Map<string, string>()
  /** Practitioners and organizations are also named by an identifier. */
  readonly #identified = new Map<string, string>()

  /** To be told of every entry before references are followed. */
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
   * Null for what is contained in the resource itself, or cannot be told. Whether there is such a resource is another
   * question.
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

/** The resource's own id; one that is yet to get its id has the one of its place in the bundle. */
export function resourceId({ fullUrl, resource }: BundleEntry): string | null {
  const id = resource?.id ?? (typeof fullUrl === 'string' ? lastPart(fullUrl) : null)
  return typeof id === 'string' && id !== '' ? id : null
}

/** Behind the last slash or colon: `urn:uuid:…`, `Patient/…`, `https://…/Patient/…`. */
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
