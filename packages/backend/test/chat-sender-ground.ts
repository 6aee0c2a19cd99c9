// The base of the chat sender's tests: their database, outcomes and the state of the queue.
import type { Clinic } from '@clinic-data/contract'
import { testDatabase } from '@clinic-data/testing/test-database'
import type { SendOutcome } from '../src/messaging/messaging-platform.ts'
import { queueOf } from './chat-ground.ts'
import { eventsOf } from './ingest.ts'

export const database = await testDatabase()
export const { owner, app } = database
export const types = async (clinic: Clinic) => (await eventsOf(owner, clinic)).map(({ type }) => type)
export const unknown: SendOutcome = { outcome: 'unknown', reason: 'no answer' }
export const retry = (after_ms: number | null = null): SendOutcome => ({ outcome: 'retry', after_ms, reason: 'busy' })
export const states = async (clinic: Clinic) => (await queueOf(owner, clinic)).map(({ state }) => state)
