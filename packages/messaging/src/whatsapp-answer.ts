// Turns an HTTP exchange with WhatsApp into the outcome of the send.

import type { Exchange } from './http-exchange.ts'
import type { SendOutcome } from './messaging-platform.ts'
import { fieldsOf, itemsOf, parseJson, wholeId } from './untrusted-json.ts'
import { meaningOf, readPlatformError } from './whatsapp-error.ts'

/** A WhatsApp id (`wamid.…`). Today these have fewer than 100 characters. */
export const PLATFORM_ID = /^[\x21-\x7e]{1,255}$/

/** The longest pause we grant the platform. A message that waits longer would come too late to be useful. */
const LONGEST_WAIT_MS = 60 * 60 * 1000

/** `token` is the access token of the request. It is removed from the reason if the platform quotes it. */
export function outcomeOf(exchange: Exchange, token: string): SendOutcome {
  switch (exchange.state) {
    case 'not_sent':
      return { outcome: 'retry', after_ms: null, reason: exchange.reason }
    case 'broken_off':
      return { outcome: 'unknown', reason: exchange.reason }
    case 'too_large':
      return { outcome: 'unknown', reason: `the answer of status ${exchange.status} is too long` }
    case 'answered':
      return answeredOutcome(exchange, token)
  }
}

function answeredOutcome({ status, headers, bytes }: Exchange & { state: 'answered' }, token: string): SendOutcome {
  const answer = fieldsOf(parseJson(bytes))
  if (status >= 200 && status < 300) {
    const platform_message_id = wholeId(fieldsOf(itemsOf(answer.messages)[0]).id, PLATFORM_ID)
    return platform_message_id === null
      ? { outcome: 'unknown', reason: `the answer of status ${status} names no message` }
      : { outcome: 'accepted', platform_message_id, accepted_at: null }
  }
  const error = readPlatformError(answer.error, token)
  const meaning = meaningOf(error, status)
  const reason = `the platform answered ${status}${error.code === null ? '' : ` with code ${error.code}`}`
  switch (meaning.kind) {
    case 'refused':
      return { outcome: 'refused', reason: error.reason }
    case 'retry':
      return { outcome: 'retry', after_ms: waitOf(headers['retry-after']) ?? meaning.after_ms, reason }
    case 'unknown':
      return { outcome: 'unknown', reason }
  }
}

/** Reads the seconds of a `Retry-After` header. The platform does not send the other form, a date. */
function waitOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Math.min(Number(header) * 1000, LONGEST_WAIT_MS) : null
}
