// A sender with a scripted platform, on a clock that the test runs.
import type { TestContext } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { ChatSender } from '@clinic-data/backend/sending/chat-sender'
import type { Clinic } from '@clinic-data/contract'
import { Database, DatabaseUnavailable, type Statement } from '@clinic-data/database'
import type {
  MessagingAccount,
  MessagingPlatform,
  OutboundChatMessage,
  SendOutcome,
} from '@clinic-data/messaging/messaging-platform'
import type { Log } from '@clinic-data/surface/log'
import { asApplication } from '../run/application.ts'
import { failingLog, type TestDatabase } from '../run/test-database.ts'
import { TestClock } from '../test-clock.ts'
import { until } from '../until.ts'
import { ask } from './ask.ts'
import { NOW_MS } from './chat-ground.ts'

export interface SentRequest extends OutboundChatMessage {
  account: MessagingAccount
  signal: AbortSignal
}

type Answer = (request: SentRequest, number: number) => SendOutcome | Promise<SendOutcome>

/** Gives scripted answers and records the requests. */
export class ToldPlatform implements MessagingPlatform {
  readonly requests: SentRequest[] = []
  answer: Answer

  constructor(answer: Answer = (_, number) => accepted(`wa-${number}`)) {
    this.answer = answer
  }

  async send(account: MessagingAccount, message: OutboundChatMessage, signal: AbortSignal): Promise<SendOutcome> {
    const request = { ...message, account, signal }
    this.requests.push(request)
    return this.answer(request, this.requests.length)
  }

  async fetchMedia(): Promise<null> {
    return null
  }

  async close(): Promise<void> {}

  /** Resolves when this many messages were handed over. */
  async untilAsked(count: number): Promise<void> {
    await until(
      async () => this.requests.length >= count,
      () => `${this.requests.length} of ${count} messages were handed to the platform`,
    )
  }

  get texts(): string[] {
    return this.requests.map(({ content }) => (content.kind === 'text' ? content.text : content.name))
  }
}

export function accepted(platform_message_id: string): SendOutcome {
  return { outcome: 'accepted', platform_message_id, accepted_at: null }
}

export const silentLog: Log = { warn: () => undefined, error: () => undefined }

/** Shows a dispatcher only the test's own clinics. */
export class OwnClinics extends Database {
  readonly #clinics: ReadonlySet<string>
  /** Makes the server unreachable for the sender. */
  isAway = false
  /** Makes the server answer no write of the sender. */
  isSilent = false
  /** How often the queues of all clinics were read. */
  looks = 0

  constructor(url: string, clinics: readonly Clinic[]) {
    super(asApplication(url))
    this.#clinics = new Set(clinics.map(({ clinic_id }) => clinic_id))
  }

  override async readAsDispatcher<R extends object>(statement: Statement): Promise<R[]> {
    const rows = await super.readAsDispatcher<R & { clinic_id: string }>(statement)
    this.looks++
    return rows.filter(({ clinic_id }) => this.#clinics.has(clinic_id))
  }

  override async write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    if (this.isAway) throw new DatabaseUnavailable('the database is away')
    if (this.isSilent) return new Promise(() => undefined)
    return super.write(...args)
  }
}

/** Ends with the test. */
export async function sendingFrom(
  t: TestContext,
  { ownerUrl }: TestDatabase,
  clinics: readonly Clinic[],
  log: Log = failingLog,
) {
  const app = await new OwnClinics(ownerUrl, clinics).open()
  const senders: ChatSender[] = []
  t.after(() => {
    // After a failed test too: one that looks on would keep the file from ending. Nobody waits for answers that may never come.
    for (const one of senders) void one.stop()
    return app.close()
  })
  const clock = new TestClock(NOW_MS)
  const platform = new ToldPlatform()
  const deadline = new AbortController()
  const senderOf = (other: MessagingPlatform = platform) => {
    const platforms = { simulated: other, whatsapp: other }
    const made = new ChatSender({
      database: app,
      platforms,
      log,
      clock,
      elapsed: () => clock.now().getTime(),
      deadline: deadline.signal,
    })
    senders.push(made)
    return made
  }
  const sender = senderOf()
  const backend = createBackend({ database: app, now: () => clock.now(), log: failingLog })
  const write = async (clinic: Clinic, text: string, to: object = { conversation_id: 'v1' }) =>
    (await ask(backend, clinic, 'chat.messages.create', { body: { ...to, text } })).data
  const get = async (clinic: Clinic, id: string) =>
    (await ask(backend, clinic, 'chat.messages.get', { params: { id } })).data
  /** Lets time pass, and a sender look about once at its end. */
  const pass = async (ms: number, of = sender) => {
    await clock.run(ms)
    await of.idle()
    await clock.run(1000)
    await of.idle()
  }
  return { app, clock, deadline, platform, sender, senderOf, backend, write, get, pass }
}
