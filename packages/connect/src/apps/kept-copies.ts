// Copies of what other servers say, kept for as long as they allow: one request at a time for an address, and a bounded number of everything.
// Who makes us read is known to nobody, so a failure is remembered too.
import { OAuthError, UnusableDocument } from '../oauth-error.ts'
import { clinicOf, isPerson, type Reader } from './reader.ts'
import type { ReadingPlaces } from './reading-places.ts'

export interface Loaded<T> {
  readonly value: T
  /** So long it may be used. */
  readonly keptMs: number
}

export interface KeptCopiesParts<T> {
  /** @throws OAuthError that says why there is none: `temporarily_unavailable` when there may be one later. */
  readonly load: (url: string) => Promise<Loaded<T>>
  readonly places: ReadingPlaces
  readonly now: () => Date
}

interface Copy<T> {
  readonly content: { readonly value: T } | { readonly error: OAuthError }
  readonly readAt: number
  readonly until: number
  /** So long it is better than nothing. */
  readonly staleUntil: number
}

/** Some kilobytes each. As many of clinics, and of strangers, whose copies drop none of the others. */
const MOST_COPIES = 500
/** Whoever mends a document tries again soon. */
const FAILURE_MS = 10_000
/** A copy of keys that has not the wanted one is read anew after this time. */
const OLDER_MS = 60_000
/** A server that is away for longer gets its apps refused: they may have changed their keys or addresses meanwhile. */
const STALE_MS = 24 * 60 * 60_000

export class KeptCopies<T> {
  readonly #parts: KeptCopiesParts<T>
  /** Those used last are at the end. */
  readonly #ofClinics = new Map<string, Copy<T>>()
  readonly #ofStrangers = new Map<string, Copy<T>>()
  readonly #underWay = new Map<string, Promise<T>>()

  constructor(parts: KeptCopiesParts<T>) {
    this.#parts = parts
  }

  /** The number of copies and remembered failures. */
  get size(): number {
    return this.#ofClinics.size + this.#ofStrangers.size
  }

  /**
   * An old copy, where there is one and the server or a place for a read is away for now.
   *
   * @param url an address whose form has been checked.
   * @param isRenewed reads it anew, unless the copy is of this minute.
   * @throws OAuthError
   */
  async read(url: string, reader: Reader, isRenewed = false): Promise<T> {
    try {
      const value = await (this.#present(url, isRenewed) ?? this.#wait(url, reader, isRenewed))
      if (isPerson(reader)) this.#moveToClinics(url)
      return value
    } catch (error) {
      const stale = this.#stale(url)
      if (isRenewed || stale === null || !isForNow(error)) throw error
      return stale.value
    }
  }

  #present(url: string, isRenewed: boolean): Promise<T> | null {
    const now = this.#parts.now().getTime()
    const copy = this.#copy(url)
    if (copy === undefined || now >= copy.until || (isRenewed && now >= copy.readAt + OLDER_MS)) return null
    this.#keep(url, copy)
    return 'error' in copy.content ? Promise.reject(copy.content.error) : Promise.resolve(copy.content.value)
  }

  /** For a read that is under way, or one that begins. Both take a place of a caller: its request has one of the gateway's. */
  async #wait(url: string, reader: Reader, isRenewed: boolean): Promise<T> {
    const clinic_id = await clinicOf(reader)
    // A copy may have come meanwhile.
    const present = this.#present(url, isRenewed)
    if (present !== null) return present
    const underWay = this.#underWay.get(url)
    if (isPerson(reader)) return underWay ?? this.#begin(url, clinic_id, reader)
    const { signal } = reader
    if (signal.aborted) throw late()
    if (underWay === undefined) return inTime(signal, this.#begin(url, clinic_id, reader))
    const leave = this.#parts.places.join(clinic_id, reader)
    return inTime(signal, underWay).finally(leave)
  }

  #begin(url: string, clinic_id: string | null, reader: Reader): Promise<T> {
    const leave = this.#parts.places.take(url, clinic_id, reader)
    const loading = this.#load(url, clinic_id !== null).finally(() => {
      this.#underWay.delete(url)
      leave()
    })
    this.#underWay.set(url, loading)
    return loading
  }

  async #load(url: string, isOfClinic: boolean): Promise<T> {
    const readAt = this.#parts.now().getTime()
    try {
      const { value, keptMs } = await this.#parts.load(url)
      const until = readAt + keptMs
      this.#keep(url, { content: { value }, readAt, until, staleUntil: until + STALE_MS }, isOfClinic)
      return value
    } catch (error) {
      if (error instanceof OAuthError) this.#remember(url, error, readAt)
      throw error
    }
  }

  /** A copy outlasts a failure that may pass. */
  #remember(url: string, error: OAuthError, readAt: number): void {
    const until = readAt + FAILURE_MS
    const copy = this.#copy(url)
    if (copy !== undefined && this.#stale(url) !== null && isForNow(error))
      this.#keep(url, { ...copy, readAt, until: Math.max(copy.until, until) })
    else this.#keep(url, { content: { error }, readAt, until, staleUntil: until })
  }

  #stale(url: string): { readonly value: T } | null {
    const copy = this.#copy(url)
    if (copy === undefined || 'error' in copy.content) return null
    return this.#parts.now().getTime() < copy.staleUntil ? copy.content : null
  }

  #copy(url: string): Copy<T> | undefined {
    return this.#ofClinics.get(url) ?? this.#ofStrangers.get(url)
  }

  #moveToClinics(url: string): void {
    const copy = this.#ofStrangers.get(url)
    if (copy !== undefined && 'value' in copy.content) this.#keep(url, copy, true)
  }

  /** @param isOfClinic also one that is a clinic's already stays so. */
  #keep(url: string, copy: Copy<T>, isOfClinic = false): void {
    const copies = isOfClinic || this.#ofClinics.has(url) ? this.#ofClinics : this.#ofStrangers
    this.#ofClinics.delete(url)
    this.#ofStrangers.delete(url)
    copies.set(url, copy)
    const [oldest] = copies.keys()
    if (copies.size > MOST_COPIES && oldest !== undefined) copies.delete(oldest)
  }
}

/** The read goes on for others: it is theirs as well, and an end of ours says nothing of the server. */
function inTime<T>(signal: AbortSignal, reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(late()), { once: true })
    reading.then(resolve, reject)
  })
}

function late(): UnusableDocument {
  return new UnusableDocument(
    'temporarily_unavailable',
    'The document at the client_id and the keys that it names did not come in time.',
    503,
  )
}

function isForNow(error: unknown): boolean {
  return error instanceof OAuthError && error.code === 'temporarily_unavailable'
}
