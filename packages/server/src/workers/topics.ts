// Names what the primary process and its workers ask each other.

import type { AnswerApp } from '@clinic-data/contract/app-request'
import type { Taken } from '@clinic-data/gateway/limits/rate-limit'
import type { Take } from '@clinic-data/gateway/limits/remote-rate-limit'
import type { RequestUrls } from '@clinic-data/installation/database/storage'
import type { ScopeMetrics } from '@opentelemetry/sdk-metrics'
import type { WebhookHooks } from '../webhooks.ts'
import type { AppQuestion, AppReply } from './app-answers.ts'

/** A worker learns this when it begins. The rest of its settings it reads as the primary did. */
export interface Beginning {
  /** Null in the role `gateway`. */
  readonly storage: RequestUrls | null
  /** The primary's secret keys, as text: the file of the keys may have been rotated since it read them. */
  readonly secretKeys: string
  readonly workers: number
  /** The port of the public API: with `PORT=0` the first worker's. */
  readonly port: number
  /** Whether the primary answers apps. */
  readonly answersApps: boolean
}

/** Why a worker could not begin. */
export interface Fault {
  readonly message: string
  /** Whether a setting is wrong. */
  readonly isConfig: boolean
}

/** The primary does this for the backends of its workers: it has the dispatcher and the sender. */
export interface BackendHelp {
  readonly hooks: WebhookHooks
  readonly onMessageQueued: (clinic_id: string) => void
  /** Undefined: no app can be connected. */
  readonly answerApp: AnswerApp | undefined
}

export type ToPrimary = {
  begin: (nothing: null) => Promise<Beginning>
  listening: (address: string) => void
  failed: (fault: Fault) => void
  take: (takes: readonly Take[]) => Promise<readonly Taken[]>
  check: (url: string) => Promise<string | null>
  due: (clinic_id: string) => void
  queued: (clinic_id: string) => void
  app: (question: AppQuestion) => Promise<AppReply>
  ended: (names: readonly [clinic_id: string, subscription_id: string]) => Promise<void>
}

export type ToWorker = {
  measure: (nothing: null) => Promise<ScopeMetrics[]>
  drain: (nothing: null) => void
  stop: (nothing: null) => void
}
