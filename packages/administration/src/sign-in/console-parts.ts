// The parts of the console's server side, and what it asks of the listener that it is registered on.
import type { IncomingMessage } from 'node:http'
import type { ConsoleConnect } from '@clinic-data/connect/console-connect'
import type { DemoAction } from '@clinic-data/console-contract/clinic-operations'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import type { Database } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import type { PatientRights } from '@clinic-data/surface/patient-rights'
import type { Mail } from './mail.ts'
import type { OpenIdProvider } from './openid-provider.ts'
import type { PasswordCost } from './password.ts'

/** Refused passwords of strangers by address. The gateway's `FailedAttempts` implements it. */
export interface FailedSignIns {
  fail(address: string): unknown
  /** Whether the address would reach its limit if all its attempts under way failed. */
  isExhausted(address: string): boolean
  /** Counts an attempt as a failure while it runs. */
  during<T>(address: string, attempt: () => Promise<T>): Promise<T>
}

/** Lets things happen in the demo clinic, as the clinic's own systems would tell them. */
export interface DemoPart {
  readonly clinic_id: string
  /** Resolves when the change is stored. */
  act(action: DemoAction): Promise<void>
}

export interface ConsoleParts {
  /** Opened with a login of its own: that of requests may neither read administrators nor add keys. */
  consoleDatabase: Database
  /** Open the secrets of subscriptions: a delivery's signature is shown, never its secret. */
  webhookKeys: SigningKeys
  now: () => Date
  log: Log
  /** The public API's address without a slash at its end. */
  baseUrl: string
  /** A key without a limit of its own may send so many requests a minute. */
  usualRate: number
  failedSignIns: FailedSignIns
  /** For the challenges of passkeys (`signingKeys(secretKeys, 'console-sign-in')`). */
  signInKeys: SigningKeys
  /** The identity provider that administrators may sign in by. Null: there is none. */
  openId: OpenIdProvider | null
  /** The client's address, as trusted proxies report it. */
  addressOf(request: IncomingMessage): string
  /** Names the widest block of addresses that may be one client's, which takes turns with others (the contract's `wideBlock`). */
  blockOf(address: string): string
  /** Whether the browser sent the request by https. */
  isSecure(request: IncomingMessage): boolean
  /** Where browsers reach the console. Absent or null: where the request came. */
  consoleUrl?: string | null
  /** Sends invitations. Absent or null: they are only shown. */
  mail?: Mail | null
  /** Where apps can be connected. Null: nowhere, and the operations of connections are 404. */
  connect?: ConsoleConnect | null
  /** Carries out the export and the erasure of one patient. Absent: the operations of it are 404. */
  patientRights?: PatientRights
  /** Only in a service that has the demo clinic. */
  demo?: DemoPart
  /** Says how much work hashing a password is. Default: as much as OWASP asks for. No setting of a service changes it. */
  passwordCost?: PasswordCost | undefined
  /** Waits until a revoked key is refused everywhere. Default: as long as that takes. */
  wait?: (ms: number) => Promise<unknown>
}
