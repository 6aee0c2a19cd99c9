// Says in the log when a backend has other secret keys than this gateway, or connects apps where this gateway does not: each works
// alone, and together they refuse clients. One line when it is noticed, and one when it changes.
import type { IncomingHttpHeaders } from 'node:http'
import { differingKeys, keyFingerprints } from '@clinic-data/contract/key-fingerprints'
import { portHeaders } from '@clinic-data/contract/port'
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import type { Log } from '../telemetry/log.ts'

/** The settings that a gateway must share with its backends. */
export interface SharedSettings {
  secretKeys: SecretKeys
  /** Whether it knows `CONSOLE_URL`. */
  connectsApps: boolean
}

export class SharedSettingsWatch {
  readonly #fingerprints: string
  readonly #connectsApps: boolean
  readonly #log: Pick<Log, 'warn' | 'info'>
  /** The backend's name in the log. */
  readonly #backend: string
  #heard = ''
  #differing = ''
  #isAppsSaid = false

  constructor({ secretKeys, connectsApps }: SharedSettings, log: Pick<Log, 'warn' | 'info'>, backend: string) {
    this.#fingerprints = keyFingerprints(secretKeys)
    this.#connectsApps = connectsApps
    this.#log = log
    this.#backend = backend
  }

  /** Reads the headers of an answer. A backend of an earlier version, or of another make, sends none of them. */
  heed(headers: IncomingHttpHeaders): void {
    const theirs = String(headers[portHeaders.secret_keys] ?? '')
    if (theirs !== '' && theirs !== this.#heard) this.#compare(theirs)
    if (headers[portHeaders.connects_apps] === undefined || this.#connectsApps || this.#isAppsSaid) return
    this.#isAppsSaid = true
    this.#log.warn({ backend: this.#backend }, APPS_DIFFER)
  }

  #compare(theirs: string): void {
    this.#heard = theirs
    const before = this.#differing
    const keys = differingKeys(this.#fingerprints, theirs)
    this.#differing = keys.join(',')
    if (this.#differing === before) return
    if (keys.length > 0) this.#log.warn({ backend: this.#backend, keys }, KEYS_DIFFER)
    else this.#log.info({ backend: this.#backend }, 'the backend has the same SECRET_KEYS as this gateway again')
  }
}

const KEYS_DIFFER =
  'the backend has other SECRET_KEYS than this gateway: cursors and links of one are refused by others. Give all processes the same'
const APPS_DIFFER =
  'the backend connects apps, and this gateway answers their sign-in with 404: set CONSOLE_URL for the gateway too'
