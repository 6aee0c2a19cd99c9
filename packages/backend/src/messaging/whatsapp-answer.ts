// Turns an HTTP exchange with WhatsApp into the known outcome of the message.

import type { Exchange } from './http-exchange.ts'
import type { SendOutcome } from './messaging-platform.ts'
import { fieldsOf, itemsOf, parseJson, wholeId } from './untrusted-json.ts'
import { meaningOf, readPlatformError } from './whatsapp-error.ts'

/** An id of WhatsApp's (`wamid.…`): today below 100 characters. */
export const PLATFORM_ID = /^[\x21-\x7e]{1,255}$/

/** However long a pause the platform asks for, a message that waits longer would come too late to be useful. */
const LONGEST_WAIT_MS = 60 * 60 * 1000

/** `token` is the one that was sent. If the platform quotes it, it is removed. */
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
  const told = `the platform answered ${status}${error.code === null ? '' : ` with code ${error.code}`}`
  switch (meaning.kind) {
    case 'refused':
      return { outcome: 'refused', reason: error.reason }
    case 'retry':
      return { outcome: 'retry', after_ms: waitOf(headers['retry-after']) ?? meaning.after_ms, reason: told }
    case 'unknown':
      return { outcome: 'unknown', reason: told }
  }
}

/** The seconds of a `Retry-After`. The platform does not send its other form, a date. */
function waitOf(header: string | undefined): number | null {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Math.min(Number(header) * 1000, LONGEST_WAIT_MS) : null
}
