// The bytes of an event (specification, Payload envelope): made once, stored, and sent unchanged on every attempt.
import type { Clinic, EventType } from '@clinic-data/contract'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'

export interface EventContent {
  readonly id: string
  readonly type: EventType
  /** The resource as JSON, with the bytes of the contract's serializer. */
  readonly data: string
}

/** Nothing in it needs escaping: `data` is already JSON. */
export function eventBody({ id, type, data }: EventContent, { time_zone }: Clinic, now: Date, isTest = false): string {
  const created_at = zonedInstant(now, time_zone, 3)
  return `{"id":"${id}","type":"${type}","created_at":"${created_at}","data":${data}${isTest ? ',"test":true' : ''}}`
}

/** An event as far as the audit log tells of it: whose data it holds. */
export interface SentEvent {
  readonly type?: unknown
  readonly data: { readonly id?: unknown }
}

/** @throws Error for bytes that are no event. It does not quote them: they may hold a patient's data. */
export function readEvent(body: string): SentEvent {
  const event = parsed(body) as Partial<SentEvent> | null
  if (typeof event?.data === 'object' && event.data !== null) return event as SentEvent
  throw new Error('the stored bytes of an event are no event')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
