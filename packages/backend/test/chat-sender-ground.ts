// The base of the chat sender's tests: their database, outcomes and the state of the queue.
import type { Clinic } from '@clinic-data/contract'
import type { SendOutcome } from '@clinic-data/messaging/messaging-platform'
import { queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { testDatabase } from '@clinic-data/testing/run/test-database'

export const database = await testDatabase()
export const { owner, app } = database
export const types = async (clinic: Clinic) => (await eventsOf(owner, clinic)).map(({ type }) => type)
export const unknown: SendOutcome = { outcome: 'unknown', reason: 'no answer' }
export const retry = (after_ms: number | null = null): SendOutcome => ({ outcome: 'retry', after_ms, reason: 'busy' })
export const states = async (clinic: Clinic) => (await queueOf(owner, clinic)).map(({ state }) => state)
