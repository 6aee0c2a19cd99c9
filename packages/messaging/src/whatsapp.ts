// The adapter for WhatsApp's Cloud API. Sends messages, and fetches the media of received ones.

import http from 'node:http'
import https from 'node:https'
import { MAX } from '@clinic-data/contract'
import { type Exchange, exchange } from './http-exchange.ts'
import type {
  FetchedMedia,
  MessagingAccount,
  MessagingPlatform,
  OutboundChatMessage,
  SendOutcome,
} from './messaging-platform.ts'
import { boundedText, fieldsOf, parseJson } from './untrusted-json.ts'
import { type ApiAddress, apiAddress, mediaAddress } from './whatsapp-address.ts'
import { outcomeOf } from './whatsapp-answer.ts'
import { readPlatformError } from './whatsapp-error.ts'
import { messageBody } from './whatsapp-message.ts'

export interface WhatsAppOptions {
  /** Gets the account's access token. Called for each request, so the token can be replaced at any time. */
  accessToken: (account: MessagingAccount) => string | Promise<string>
  /** An https address, or an http address on this machine (a stand-in for tests). */
  baseUrl?: string
  /** The version of the Graph API, for example `v25.0`. */
  version?: string
  timeouts?: Partial<WhatsAppTimeouts>
}

/** Milliseconds. */
export interface WhatsAppTimeouts {
  /** The time until a connection is ready, including the wait for a free one. */
  connectMs: number
  /** The time from the request's first byte to the answer's last. */
  answerMs: number
  /** The same for downloads of media, which may have 100 MB. */
  downloadMs: number
}

const BASE_URL = 'https://graph.facebook.com'

/** Released in February 2026, served until July 2028. */
const VERSION = 'v25.0'

/** An answer usually takes less than a second. Giving up early would leave the outcome of a sent message unknown. */
const TIMEOUTS: WhatsAppTimeouts = { connectMs: 10_000, answerMs: 30_000, downloadMs: 120_000 }

/** A number may send 80 messages a second, so about as many are under way at once. */
const MAX_CONNECTIONS = 100

/** Far below the platform's own limit, so that a message is rarely sent on a connection that the platform is just closing. */
const IDLE_MS = 5000

/** Answers to sends and descriptions of media have some hundred bytes. */
const ANSWER_BYTES = 64 * 1024

/** The media hosts answer only requests that have a user agent. */
const USER_AGENT = 'clinic-data-api'

/** "The object does not exist, or cannot be loaded". Also given for media of another number. */
const NO_SUCH_OBJECT = 100

const PHONE_NUMBER_ID = /^\d{1,32}$/
const MEDIA_ID = /^[\w-]{1,128}$/
const TOKEN = /^[\x21-\x7e]{1,4096}$/

/**
 * The messaging platform WhatsApp. Receipts and patients' messages come through its webhook: see whatsapp-webhook.ts.
 *
 * @example
 * const platform = new WhatsAppPlatform({ accessToken: () => token })
 * await platform.send(account, message, AbortSignal.timeout(60_000))
 */
export class WhatsAppPlatform implements MessagingPlatform {
  readonly #api: ApiAddress
  readonly #agent: http.Agent
  readonly #timeouts: WhatsAppTimeouts
  readonly #accessToken: WhatsAppOptions['accessToken']

  /** @throws TypeError when the base address or the version has the wrong form. */
  constructor({ accessToken, baseUrl = BASE_URL, version = VERSION, timeouts = {} }: WhatsAppOptions) {
    this.#api = apiAddress(baseUrl, version)
    this.#accessToken = accessToken
    this.#timeouts = { ...TIMEOUTS, ...timeouts }
    const agentOptions = { keepAlive: true, timeout: IDLE_MS, maxSockets: MAX_CONNECTIONS }
    this.#agent = this.#api.protocol === 'https:' ? new https.Agent(agentOptions) : new http.Agent(agentOptions)
  }

  async send(account: MessagingAccount, message: OutboundChatMessage, signal: AbortSignal): Promise<SendOutcome> {
    if (!PHONE_NUMBER_ID.test(account.account_id)) {
      return { outcome: 'refused', reason: "The clinic's account names no WhatsApp phone number id" }
    }
    const token = await this.#tokenOf(account)
    if (token === null) return { outcome: 'retry', after_ms: null, reason: 'there is no usable access token' }
    const answer = await exchange({
      ...this.#limits(),
      method: 'POST',
      url: new URL(`${this.#api.href}/${account.account_id}/messages`),
      headers: { ...headersOf(token), 'content-type': 'application/json' },
      body: JSON.stringify(messageBody(message)),
      signal,
    })
    return outcomeOf(answer, token)
  }

  async fetchMedia(
    account: MessagingAccount,
    media_id: string,
    { maxBytes }: { maxBytes: number },
    signal: AbortSignal,
  ): Promise<FetchedMedia | null> {
    if (!MEDIA_ID.test(media_id) || !PHONE_NUMBER_ID.test(account.account_id)) return null
    const token = await this.#tokenOf(account)
    if (token === null) throw new Error('there is no usable access token')
    const headers = headersOf(token)
    // With the number's id the platform answers only for media that was sent to this number.
    const url = new URL(`${this.#api.href}/${media_id}?phone_number_id=${account.account_id}`)
    const description = mediaAnswer(await exchange({ ...this.#limits(), method: 'GET', url, headers, signal }))
    if (description === null) return null
    const { url: address, mime_type, file_size } = fieldsOf(parseJson(description))
    // The size is a text in some answers and a number in others.
    if (Number(file_size ?? 0) > maxBytes) return null
    const answer = await exchange({
      ...this.#limits({ maxBytes, answerMs: this.#timeouts.downloadMs }),
      method: 'GET',
      url: mediaAddress(address, this.#api),
      headers,
      signal,
    })
    const bytes = answer.state === 'too_large' ? null : mediaAnswer(answer)
    const content_type = boundedText(mime_type, MAX.content_type) ?? 'application/octet-stream'
    return bytes && { content_type, file_name: null, bytes }
  }

  async close(): Promise<void> {
    this.#agent.destroy()
  }

  #limits(other: { maxBytes?: number; answerMs?: number } = {}) {
    const { connectMs, answerMs } = this.#timeouts
    return { agent: this.#agent, connectMs, answerMs, maxBytes: ANSWER_BYTES, ...other }
  }

  async #tokenOf(account: MessagingAccount): Promise<string | null> {
    try {
      const token = await this.#accessToken(account)
      return TOKEN.test(token) ? token : null
    } catch {
      return null
    }
  }
}

function headersOf(token: string) {
  return { authorization: `Bearer ${token}`, accept: 'application/json, */*', 'user-agent': USER_AGENT }
}

/** The answer's content. Null when the platform says that there is no such media. @throws Error for every other answer. */
function mediaAnswer(answer: Exchange): Buffer | null {
  if (answer.state === 'too_large') throw new Error(`the answer of status ${answer.status} is too long`)
  if (answer.state !== 'answered') throw new Error(answer.reason)
  const { status, bytes } = answer
  if (status >= 200 && status < 300) return bytes
  const { code } = readPlatformError(fieldsOf(parseJson(bytes)).error)
  if (status === 404 || status === 410 || (status === 400 && code === NO_SUCH_OBJECT)) return null
  throw new Error(`the platform answered ${status}${code === null ? '' : ` with code ${code}`}`)
}
