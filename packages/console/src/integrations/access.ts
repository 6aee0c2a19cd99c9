// By which ways each kind of data reaches an integration. Events carry whole records, so its webhooks open data that it may not read.

import type { IntegrationPage } from '@clinic-data/console-parts/api'
import type { EventType } from '@clinic-data/contract/event-types'

export interface Access {
  readonly resource: string
  readonly reads: boolean
  readonly writes: boolean
  /** Its webhooks are sent such records. */
  readonly isSent: boolean
  /** It may make a webhook that is sent them. */
  readonly maySubscribe: boolean
}

/** The event types of a webhook. None stands for every type. */
interface Subscribed {
  readonly enabled: boolean
  readonly event_types: readonly EventType[]
}

/** The kind of data that a group of event types carries. */
const RESOURCES = {
  appointment: 'appointments',
  patient: 'patients',
  treatment: 'treatments',
  payment: 'payments',
  call: 'calls',
  chat: 'chat',
} as const satisfies Record<EventType extends `${infer Group}.${string}` ? Group : never, string>

const carried: readonly string[] = Object.values(RESOURCES)
const resourceOf = (type: EventType) => RESOURCES[type.split('.')[0] as keyof typeof RESOURCES]

export function accessOf(may: IntegrationPage['may'], webhooks: readonly Subscribed[]): readonly Access[] {
  const sent = new Set(
    webhooks
      .filter(({ enabled }) => enabled)
      .flatMap(({ event_types }) => (event_types.length === 0 ? carried : event_types.map(resourceOf))),
  )
  const subscribes = may.some(({ resource, writes }) => resource === 'webhooks' && writes)
  return may.map(({ resource, reads, writes }) => ({
    resource,
    reads,
    writes,
    isSent: sent.has(resource),
    // The events of chats need the permission to read chats too.
    maySubscribe: subscribes && carried.includes(resource) && (resource !== 'chat' || reads),
  }))
}
