// Copies of what other servers say, kept for as long as they allow: one request at a time for an address, and a bounded number of everything.
// Who makes us read is known to nobody, so a failure is remembered too.
import { OAuthError } from '../oauth-error.ts'

export interface Loaded<T> {
  readonly value: T
  /** So long it may be used. */
  readonly keptMs: number
}

export interface KeptCopiesParts<T> {
  /** @throws OAuthError that says why there is none. */
  readonly load: (url: string) => Promise<Loaded<T>>
  readonly now: () => Date
}

interface Copy<T> {
  readonly content: { readonly value: T } | { readonly error: OAuthError }
  readonly readAt: number
  readonly until: number
}

/** Some kilobytes each. */
const MOST_COPIES = 500
/** Requests under way. One lasts at most 5 s. */
const MOST_AT_ONCE = 20
/** As many of one host: else a crowd of addresses could be made to call a server that somebody dislikes. */
const MOST_OF_A_HOST = 2
/** Whoever mends a document tries again soon. */
const FAILURE_MS = 10_000
/** A copy of keys that has not the wanted one is read anew after this time. */
const OLDER_MS = 60_000

export class KeptCopies<T> {
  readonly #parts: KeptCopiesParts<T>
  /** Those used last are at the end. */
  readonly #copies = new Map<string, Copy<T>>()
  readonly #underWay = new Map<string, Promise<T>>()

  constructor(parts: KeptCopiesParts<T>) {
    this.#parts = parts
  }

  /** The number of copies and remembered failures. */
  get size(): number {
    return this.#copies.size
  }

  /**
   * @param url an address whose form has been checked.
   * @param isRenewed reads it anew, unless the copy is of this minute.
   * @throws OAuthError
   */
  async read(url: string, isRenewed = false): Promise<T> {
    const now = this.#parts.now().getTime()
    const copy = this.#copies.get(url)
    if (copy !== undefined && now < copy.until && !(isRenewed && now >= copy.readAt + OLDER_MS)) {
      this.#keep(url, copy)
      return contentOf(copy)
    }
    const underWay = this.#underWay.get(url)
    if (underWay !== undefined) return underWay
    this.#requireRoom(url)
    const loading = this.#load(url, now).finally(() => this.#underWay.delete(url))
    this.#underWay.set(url, loading)
    return loading
  }

  #requireRoom(url: string): void {
    const { host } = new URL(url)
    const ofHost = [...this.#underWay.keys()].filter((one) => new URL(one).host === host)
    if (this.#underWay.size >= MOST_AT_ONCE || ofHost.length >= MOST_OF_A_HOST)
      throw new OAuthError('temporarily_unavailable', 'Too many documents of apps are read at once. Try again.', 503)
  }

  async #load(url: string, readAt: number): Promise<T> {
    try {
      const { value, keptMs } = await this.#parts.load(url)
      this.#keep(url, { content: { value }, readAt, until: readAt + keptMs })
      return value
    } catch (error) {
      if (error instanceof OAuthError) this.#keep(url, { content: { error }, readAt, until: readAt + FAILURE_MS })
      throw error
    }
  }

  #keep(url: string, copy: Copy<T>): void {
    this.#copies.delete(url)
    this.#copies.set(url, copy)
    const [oldest] = this.#copies.keys()
    if (this.#copies.size > MOST_COPIES && oldest !== undefined) this.#copies.delete(oldest)
  }
}

function contentOf<T>({ content }: Copy<T>): T {
  if ('error' in content) throw content.error
  return content.value
}
