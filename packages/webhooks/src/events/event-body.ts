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
