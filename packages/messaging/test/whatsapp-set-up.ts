// Connects WhatsApp's adapter to a server that speaks its wire format, and provides messages for the tests.
import type { TestContext } from 'node:test'
import { type Behaviour, type CloudApiServer, cloudApiServer } from '@clinic-data/testing/receivers/cloud-api-server'
import type { MessagingAccount, OutboundChatMessage } from '../src/messaging-platform.ts'
import { WhatsAppPlatform, type WhatsAppTimeouts } from '../src/whatsapp.ts'

/** Timeouts for tests that expect an answer. They are long enough for a loaded machine. */
export const PATIENT: Partial<WhatsAppTimeouts> = { connectMs: 20_000, answerMs: 20_000, downloadMs: 20_000 }

/** A timeout for tests that expect no answer. */
export const BRIEF_MS = 60

export const never = new AbortController().signal

export async function setUp(t: TestContext, timeouts: Partial<WhatsAppTimeouts> = {}) {
  const api = await cloudApiServer()
  const platform = new WhatsAppPlatform({
    accessToken: () => api.token,
    baseUrl: api.origin,
    timeouts: { ...PATIENT, ...timeouts },
  })
  t.after(async () => {
    await platform.close()
    await api.close()
  })
  const send = (content?: OutboundChatMessage['content'], signal = never) =>
    platform.send(accountOf(api), message(content), signal)
  return { api, platform, send }
}

export function accountOf(api: CloudApiServer): MessagingAccount {
  return { clinic_id: 'north', account_id: api.phone_number_id, phone: '+97248123456' }
}

export function message(content: OutboundChatMessage['content'] = { kind: 'text', text: 'See you on Tuesday!' }) {
  return { message_id: 'out_70412', to_phone: '+972501234567', content }
}

export function answer(status: number, error: unknown, headers?: Record<string, string>): Behaviour {
  return { kind: 'answer', status, body: { error }, ...(headers && { headers }) }
}
