// The places of those who wait for apps' documents. Clinics have places that strangers cannot take, and nobody has all of a kind.
import { isIP } from 'node:net'
import { boundsOf, wideBlock } from '@clinic-data/contract/address-block'
import { OAuthError } from '../oauth-error.ts'
import { RecentCounts } from '../recent-counts.ts'
import { isPerson, type Reader } from './reader.ts'

interface Share {
  readonly of: string
  readonly atOnce: number
  /** Reads that begin. */
  readonly aMinute?: number
}

/**
 * For clinics, and as many for strangers. One lasts at most 5 s, and most take some 100 ms. A gateway apart has 64 for a backend: these leave it
 * a third.
 */
const AT_ONCE = 20
/** A clinic's people connect one app after the other, and each app has a document and its keys. */
const OF_A_CLINIC = 3
/** For clinics, of one site: a site that hangs leaves the most to others. */
const OF_A_SITE = 4
/** A stranger begins so many: whoever connects an app needs one or two. */
const OF_A_STRANGER = { atOnce: 2, aMinute: 30 }
/**
 * For strangers, of one site: else a crowd of addresses could be made to call a server that somebody dislikes. A /48 may have 8 at once and
 * 120 a minute: it leaves some of each site to others. A site that hangs leaves half of all places.
 */
const OF_A_STRANGERS_SITE = { atOnce: 10, aMinute: 300 }
const MINUTE_MS = 60_000
/** Sites and blocks whose reads of the last minute are counted, some 100 bytes each. */
const NAMES = 10_000

export class ReadingPlaces {
  readonly #now: () => Date
  readonly #taken = new Map<string, number>()
  readonly #begun = new RecentCounts({ windowMs: MINUTE_MS, names: NAMES })

  constructor(now: () => Date) {
    this.#now = now
  }

  /**
   * @param clinic_id of whoever reads. Null: it is a stranger.
   * @returns gives the place back.
   * @throws OAuthError `temporarily_unavailable`
   */
  take(url: string, clinic_id: string | null, reader: Reader): () => void {
    return this.#take([...(clinic_id === null ? ofStranger(reader) : ofClinic(clinic_id)), ofSite(url, clinic_id)])
  }

  /**
   * For whoever waits for a read that another one began: no server is called for it.
   *
   * @param clinic_id as for `take`.
   * @throws OAuthError `temporarily_unavailable`
   */
  join(clinic_id: string | null, reader: Reader): () => void {
    const shares = clinic_id === null ? ofStranger(reader) : ofClinic(clinic_id)
    return this.#take(shares.map(({ of, atOnce }) => ({ of, atOnce })))
  }

  #take(shares: readonly Share[]): () => void {
    const now = this.#now()
    const isFull = ({ of, atOnce, aMinute = Number.POSITIVE_INFINITY }: Share) =>
      (this.#taken.get(of) ?? 0) >= atOnce || (this.#begun.of(of, now)?.number ?? 0) >= aMinute
    if (shares.some(isFull))
      throw new OAuthError('temporarily_unavailable', 'Too many documents of apps are read at once. Try again.', 503)
    for (const { of, aMinute } of shares) {
      this.#taken.set(of, (this.#taken.get(of) ?? 0) + 1)
      if (aMinute !== undefined) this.#begun.add(of, now)
    }
    return () => {
      for (const { of } of shares) this.#leave(of)
    }
  }

  #leave(of: string): void {
    const others = (this.#taken.get(of) ?? 1) - 1
    if (others === 0) this.#taken.delete(of)
    else this.#taken.set(of, others)
  }
}

function ofClinic(clinic_id: string): Share[] {
  return [
    { of: 'clinics', atOnce: AT_ONCE },
    { of: `clinic ${clinic_id}`, atOnce: OF_A_CLINIC },
  ]
}

function ofStranger(reader: Reader): Share[] {
  const blocks = boundsOf(isPerson(reader) ? '' : reader.address, 1)
  return [{ of: 'strangers', atOnce: AT_ONCE }, ...blocks.map(({ block, most }) => ofBlock(`from ${block}`, most))]
}

function ofSite(url: string, clinic_id: string | null): Share {
  const site = siteOf(url)
  return clinic_id === null ? { of: site, ...OF_A_STRANGERS_SITE } : { of: `clinics ${site}`, atOnce: OF_A_SITE }
}

function ofBlock(of: string, share: number): Share {
  const { atOnce, aMinute } = OF_A_STRANGER
  return { of, atOnce: atOnce * share, aMinute: aMinute * share }
}

/** Under these of a country, as `co.uk`, domains are sold one label further down. */
const SOLD_UNDER = /^(?:ac|co|com|edu|go|gob|gov|ne|net|or|org)\.[a-z]{2}$/

/**
 * Whoever has a domain makes up any number of names and ports below it, so these are one site: the last two labels, or three in a country
 * that sells domains below its second. A list of all public suffixes is more precise, and goes out of date. Without it some apps share a
 * site, as those of one hosting provider do, and so the few places of one.
 *
 * @example siteOf('https://a.b.example.co.uk/app.json') // 'example.co.uk'
 */
export function siteOf(url: string): string {
  const { hostname } = new URL(url)
  if (isIP(hostname) !== 0) return hostname
  if (hostname.startsWith('[')) return wideBlock(hostname.slice(1, -1))
  const labels = hostname.replace(/\.$/, '').split('.')
  return labels.slice(SOLD_UNDER.test(labels.slice(-2).join('.')) ? -3 : -2).join('.')
}
