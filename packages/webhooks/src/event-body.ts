// The bytes of an event (specification, Payload envelope): made once, stored, and sent unchanged on every attempt.
import type { Clinic, EventType } from '@clinic-data/contract'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'

export interface EventContent {
  readonly id: string
  readonly type: EventType
  /** The resource as JSON: the bytes that the contract's serializer gave. */
  readonly data: string
}

/** Nothing in it needs escaping but `data`, which is JSON already. */
export function eventBody({ id, type, data }: EventContent, { time_zone }: Clinic, now: Date, isTest = false): string {
  const created_at = zonedInstant(now, time_zone, 3)
  return `{"id":"${id}","type":"${type}","created_at":"${created_at}","data":${data}${isTest ? ',"test":true' : ''}}`
}
