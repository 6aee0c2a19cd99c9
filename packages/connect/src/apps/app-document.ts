// Apps that are known by the document at their `client_id`, an https address (OAuth Client ID Metadata Document).
import { isWebhookUrl } from '@clinic-data/contract/formats'
import type { Log } from '@clinic-data/surface/log'
import { type DocumentClient, DocumentError, type ReadDocument } from '@clinic-data/webhooks/receiver/document-client'
import { type JsonObject, parseObject } from '../json-object.ts'
import { UnusableDocument } from '../oauth-error.ts'
import type { KnownApp } from './app.ts'
import { describeFaults, type MetadataFault, readMetadata } from './app-metadata.ts'
import { jwksFault, usableKeys } from './assertion-keys.ts'
import { KeptCopies, type Loaded } from './kept-copies.ts'
import type { Reader } from './reader.ts'
import { ReadingPlaces } from './reading-places.ts'

export interface AppDocumentsParts {
  readonly client: Pick<DocumentClient, 'read' | 'allowsLoopbackHttp'>
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
}

const LEAST_KEPT_MS = 5 * 60_000
const MOST_KEPT_MS = 24 * 60 * 60_000
const BETWEEN_LINES_MS = 60_000

export class AppDocuments {
  readonly #client: AppDocumentsParts['client']
  readonly #log: AppDocumentsParts['log']
  readonly #now: () => Date
  readonly #apps: KeptCopies<KnownApp>
  readonly #keys: KeptCopies<JsonObject>

  /** Documents that could not be used, since the latest line. */
  #untold = 0
  #nextLine = Number.NEGATIVE_INFINITY

  constructor({ client, now, log }: AppDocumentsParts) {
    this.#client = client
    this.#log = log
    this.#now = now
    const places = new ReadingPlaces(now)
    this.#apps = new KeptCopies({ now, places, load: (url) => this.#telling(url, this.#loadApp(url, now())) })
    this.#keys = new KeptCopies({ now, places, load: (url) => this.#telling(url, this.#loadKeys(url, now())) })
  }

  /** Whether it is the address of a document. Others are ids of a table's row. */
  isDocumentId(id: string): boolean {
    return this.#isAddress(id) && new URL(id).pathname !== '/'
  }

  /**
   * The app as its document describes it now, or did when the kept copy was read. Its policy is not asked here.
   *
   * @param id for which `isDocumentId`.
   * @throws OAuthError that says why there is none: `temporarily_unavailable` when the server may answer later, else `invalid_client`.
   */
  read(id: string, reader: Reader): Promise<KnownApp> {
    return this.#apps.read(id, reader)
  }

  /** The JWK set at an address that a document names. @throws OAuthError */
  readKeys(url: string, reader: Reader, isRenewed: boolean): Promise<JsonObject> {
    return this.#keys.read(url, reader, isRenewed)
  }

  /** No other spelling, user, fragment, or `.` and `..` in its path, and no port but 443: nobody looks for open ones by us. */
  #isAddress(url: string): boolean {
    if (!isWebhookUrl(url, this.#client) || new URL(url).href !== url) return false
    const { port, hostname } = new URL(url)
    return port === '' || (this.#client.allowsLoopbackHttp && LOOPBACK.test(hostname))
  }

  /** Tells the log why a document cannot be used, a line a minute at most. */
  async #telling<T>(url: string, loading: Promise<T>): Promise<T> {
    try {
      return await loading
    } catch (error) {
      if (error instanceof UnusableDocument) this.#tell(new URL(url).hostname, error.message)
      throw error
    }
  }

  #tell(host: string, reason: string): void {
    const now = this.#now().getTime()
    this.#untold += 1
    if (now < this.#nextLine) return
    this.#log.warn({ host, reason, unusable: this.#untold }, 'the document of an app cannot be used')
    this.#untold = 0
    this.#nextLine = now + BETWEEN_LINES_MS
  }

  async #loadApp(id: string, now: Date): Promise<Loaded<KnownApp>> {
    const document = await this.#read(id, 'The document at the client_id')
    const value = parseObject(document.text)
    if (value === null)
      throw new UnusableDocument('invalid_client', 'The document at the client_id must be a JSON object.')
    return { value: this.#appOf(id, value), keptMs: keptMs(document, now) }
  }

  #appOf(id: string, value: JsonObject): KnownApp {
    const addressFault = (url: string) => (this.#isAddress(url) ? null : 'must be an https address at port 443')
    const read = readMetadata(value, { method: 'none', methods: ['none', 'private_key_jwt'], addressFault })
    const faults = [...ownFaults(id, value), ...('faults' in read ? read.faults : [])]
    if (faults.length > 0 || 'faults' in read)
      throw new UnusableDocument('invalid_client', `In the document at the client_id, ${describeFaults(faults)}`)
    const { name, redirect_uris, authentication, keys } = read.metadata
    const { hostname: host } = new URL(id)
    return {
      app: { id, kind: 'document', name: name ?? host, host, isVerified: false, redirect_uris, authentication },
      secret_hashes: [],
      keys,
    }
  }

  async #loadKeys(url: string, now: Date): Promise<Loaded<JsonObject>> {
    const document = await this.#read(url, 'The document at the jwks_uri of the app')
    const value = parseObject(document.text)
    const fault = jwksFault(value)
    if (value === null || fault !== null)
      throw new UnusableDocument('invalid_client', `The document at the jwks_uri ${fault}.`)
    return { value: usableKeys(value), keptMs: keptMs(document, now) }
  }

  async #read(url: string, which: string): Promise<ReadDocument> {
    try {
      return await this.#client.read(url)
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      const { fault, status } = error
      const isOver = (status ?? 0) >= 500 || STATUS_MAY_PASS.has(status) || MAY_PASS.has(fault)
      throw new UnusableDocument(
        isOver ? 'temporarily_unavailable' : 'invalid_client',
        `${which} ${fault === 'status' ? `was answered with the status ${status}` : WHY[fault]}.`,
        isOver ? 503 : 401,
      )
    }
  }
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Too slow, and too many: of a server that is there, and says nothing of the document. */
const STATUS_MAY_PASS: ReadonlySet<number | null> = new Set([408, 429])
const MAY_PASS: ReadonlySet<string> = new Set(['dns', 'connect', 'tls', 'timeout', 'connection_lost'])

const WHY: Readonly<Record<DocumentError['fault'], string>> = {
  blocked_address: 'is not read, because its host has an address that is not public',
  connect: 'cannot be read: its server takes no connection',
  connection_lost: 'cannot be read: its server broke the connection off',
  dns: 'cannot be read: its host has no address',
  encoding: 'must be sent without content-encoding',
  invalid_url: 'is not read, because it must be an https address',
  redirect: 'is not read, because its server redirects: use the address of the document itself',
  status: 'must be answered with the status 200',
  timeout: 'cannot be read: its server did not answer within 5 s',
  tls: 'cannot be read: its server has no trusted certificate',
  too_long: 'must have at most 64 KB',
}

function ownFaults(id: string, value: JsonObject): MetadataFault[] {
  const faults: MetadataFault[] = []
  if (value.client_id !== id) faults.push({ member: 'client_id', fault: 'must be the address of the document itself' })
  for (const member of ['client_secret', 'client_secret_expires_at'])
    if (value[member] !== undefined)
      faults.push({ member, fault: 'must not be there: everybody can read the document' })
  return faults
}

const MAX_AGE = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i
const NOT_KEPT = /(?:^|[\s,])no-(?:store|cache)(?:$|[\s,;=])/i

/** As the server allows it (RFC 9111), within our bounds. */
function keptMs({ headers }: ReadDocument, now: Date): number {
  const header = (name: string) => [headers[name] ?? []].flat().join(',')
  const control = header('cache-control')
  const [, maxAge] = MAX_AGE.exec(control) ?? []
  const expires = Date.parse(header('expires'))
  const byExpires = Number.isNaN(expires) ? 0 : expires - now.getTime()
  const age = /^\d{1,9}$/.test(header('age')) ? Number(header('age')) * 1_000 : 0
  const allowed = NOT_KEPT.test(control) ? 0 : maxAge === undefined ? byExpires : Number(maxAge) * 1_000 - age
  return Math.min(Math.max(allowed, LEAST_KEPT_MS), MOST_KEPT_MS)
}
