// Clients that keep writing while the processes that answer them are killed, and checks of the clinic afterwards.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import { verifyAudit } from '@clinic-data/audit/audit-verify'
import { allScopes } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { nameKeys } from '@clinic-data/records/name-keys'
import { emptyClinic } from '../run/test-service.ts'
import { insert } from './rows.ts'

const CLIENTS = 6
/** How many answers come between a start and the next kill. */
const ANSWERS = 60
const ASK_AGAIN_MS = 20

export type WriteKind = 'lead' | 'payment' | 'message'

interface Written {
  kind: WriteKind
  id: string
  request_id: string
  /** When it was answered, by `performance.now()`. */
  at: number
}

/** The names of records are random words and hold nothing of a person. */
export const creating: Record<WriteKind, (name: string) => { path: string; body: object }> = {
  lead: (name) => ({
    path: '/v1/leads',
    body: { first_name: 'Dana', email: `${name}@example.com`, source: 'website', external_id: name },
  }),
  payment: (name) => ({
    path: '/v1/patients/p/payments',
    body: { amount: 12.5, method_type: 'cash', billing_account_id: 'main', description: name },
  }),
  message: (name) => ({
    path: '/v1/chat/messages',
    body: { patient_id: 'p', template: { name: 'hello', language: 'en', variables: { '1': name } } },
  }),
}
const kinds = Object.keys(creating) as WriteKind[]

export interface ClinicToWriteTo {
  clinic_id: string
  key: string
}

export async function clinicToWriteTo(owner: Database): Promise<ClinicToWriteTo> {
  const clinic_id = await clinicWithoutKey(owner)
  const minted = { clinic_id, scopes: allScopes, name: 'crash', expires_at: null, rate_limit: 1_000_000 }
  return { clinic_id, key: (await mintKey(owner, { ...minted, now: new Date() })).key }
}

export async function clinicWithoutKey(owner: Database): Promise<string> {
  // By statements of the test's own: today's program makes none on the former tables, which have no sounds of names.
  const clinic = await emptyClinic(owner)
  const phone = '+972501234567'
  const contact = { type: 'phone', value: phone, value_normal: phone, is_primary: true }
  await insert(owner, clinic, 'patient', { id: 'p', first_name: 'Noa', name_folded: 'noa', phone: '050-1234567' })
  for (const key of nameKeys('Noa', null)) await insert(owner, clinic, 'patient_name', { key, patient_id: 'p' })
  await insert(owner, clinic, 'patient_contact', { ...contact, patient_id: 'p', position: 0 })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  const variables = JSON.stringify([{ name: '1', example: 'x' }])
  await insert(owner, clinic, 'chat_template', { id: 'hello', name: 'hello', body: 'Hello {{1}}', variables })
  return clinic.clinic_id
}

export interface Load {
  /** The address of the public API. Waits while the process that serves it restarts. */
  address: () => Promise<string>
  key: string
  /** How often something is killed. */
  rounds: number
  /** Kills one of the processes and replaces it. */
  kill: (round: number) => Promise<void>
  /** How long each client rests between two writes, where what is killed needs the processors too. */
  restMs?: number
}

/** Characters of a page that is no problem of ours. */
const SHOWN_OF_PAGE = 80

/** The results of a load. */
export class Answers {
  readonly written: Written[] = []
  /** How often each refusal was answered, by its status and what it told. */
  readonly refused = new Map<string, number>()
  /** The longest time without an answer, in each round. */
  readonly pauses: number[] = []
  #lastAt = performance.now()

  add(one: Written): void {
    this.written.push(one)
    const now = performance.now()
    const last = this.pauses.length - 1
    if (last >= 0) this.pauses[last] = Math.max(this.pauses[last] ?? 0, now - this.#lastAt)
    this.#lastAt = now
  }

  refuse(told: string): void {
    this.refused.set(told, (this.refused.get(told) ?? 0) + 1)
  }

  idsOf(kind: WriteKind): string[] {
    return this.written
      .filter((one) => one.kind === kind)
      .map(({ id }) => id)
      .sort()
  }
}

/** Writes without a pause and kills `rounds` times, each time at a different moment of the other clients' work. */
export async function writeThroughCrashes(load: Load): Promise<Answers> {
  const { rounds, kill, restMs = 0 } = load
  const answers = new Answers()
  let killed = 0
  let isKilling = false
  let until = ANSWERS
  const failed = new AbortController()
  const client = async (number: number) => {
    for (let n = 0; killed < rounds || answers.written.length < until; n++) {
      const kind = kinds[(number + n) % kinds.length] as WriteKind
      const name = `${kind}-${number}-${n}`
      answers.add(await write(load, { kind, name, signal: failed.signal }, (told) => answers.refuse(told)))
      if (killed < rounds && !isKilling && answers.written.length >= until) {
        isKilling = true
        answers.pauses.push(0)
        await kill(killed)
        isKilling = false
        killed++
        until = answers.written.length + ANSWERS
      }
      if (restMs > 0) await delay(restMs, undefined, failed)
    }
  }
  const stopped = (error: unknown) => {
    // The others would go on for ever.
    failed.abort()
    throw error
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number).catch(stopped)))
  return answers
}

/** Repeats a request with the same idempotency key until there is an answer. */
async function write(
  { address, key }: Load,
  { kind, name, signal }: { kind: WriteKind; name: string; signal: AbortSignal },
  onRefused: (told: string) => void,
): Promise<Written> {
  const { path, body } = creating[kind](name)
  for (;;) {
    const answer = await fetch(`${await address()}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify(body),
    }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (answer?.ok && text) {
      const request_id = answer.headers.get('x-request-id') ?? ''
      return { kind, id: JSON.parse(text).data.id, request_id, at: performance.now() }
    }
    onRefused(answer && text ? `${answer.status} ${detailOf(text)}` : 'the connection broke')
    if (answer?.status === 503) assert.match(answer.headers.get('retry-after') ?? '', /^[1-5]$/)
    // The transaction of the killed process may not have ended yet (409), or the new process may still be starting (503).
    const mayComeBack = !answer || !text || answer.status === 409 || answer.status >= 500
    assert.ok(mayComeBack, `${kind}: ${answer?.status} ${text}`)
    await delay(ASK_AGAIN_MS, undefined, { signal })
  }
}

/** A proxy's page has none. */
function detailOf(text: string): string {
  try {
    return JSON.parse(text).detail
  } catch {
    return text.slice(0, SHOWN_OF_PAGE)
  }
}

/** Checks that every answered write is stored once, with its document, event and audit row, and that nothing else is. */
export async function assertWhole(owner: Database, clinic_id: string, answers: Answers): Promise<void> {
  const leads = await owner.query<{ id: string }>(sql`select id from lead where clinic_id = ${clinic_id}`)
  assert.deepEqual(leads.rows.map(({ id }) => id).sort(), answers.idsOf('lead'))

  const payments = await owner.query<{ id: string }>(sql`select id from payment where clinic_id = ${clinic_id}`)
  assert.deepEqual(payments.rows.map(({ id }) => id).sort(), answers.idsOf('payment'))
  const documents = await owner.query<{ number: number }>(sql`
    select number::int from payment_document where clinic_id = ${clinic_id} order by number`)
  assert.deepEqual(
    documents.rows.map(({ number }) => number),
    payments.rows.map((_, i) => i + 1),
  )
  const events = await owner.query<{ payment_id: string }>(sql`
    select body::json -> 'data' ->> 'id' as payment_id from event
    where clinic_id = ${clinic_id} and type = 'payment.recorded'`)
  assert.deepEqual(events.rows.map(({ payment_id }) => payment_id).sort(), answers.idsOf('payment'))

  const messages = await owner.query<{ id: string }>(sql`
    select id from chat_message where clinic_id = ${clinic_id} and direction = 'outbound'`)
  assert.deepEqual(messages.rows.map(({ id }) => id).sort(), answers.idsOf('message'))

  const feed = await owner.query<{ position: number }>(sql`
    select position::int from event where clinic_id = ${clinic_id} and position is not null order by position`)
  assert.deepEqual(
    feed.rows.map(({ position }) => position),
    feed.rows.map((_, i) => i + 1),
    'the feed has no gap',
  )
  const audited = await owner.query<{ request_id: string }>(sql`
    select distinct request_id from audit where clinic_id = ${clinic_id}`)
  const known = new Set(audited.rows.map(({ request_id }) => request_id))
  assert.deepEqual(
    answers.written.filter(({ request_id }) => !known.has(request_id)),
    [],
    'every answer has its audit row',
  )
}

/** Every row is sealed once, including by the killed processes. */
export async function assertChainSound(
  { owner }: { owner: Database },
  clinic_id: string,
  secretKeys: string,
): Promise<void> {
  assert.equal(await faultOfChain(owner, clinic_id, secretKeys), null)
}

/** Seals the rest of the audit log and verifies the chain. @returns what is wrong with it, or null. */
export async function faultOfChain(owner: Database, clinic_id: string, secretKeys: string): Promise<string | null> {
  const keys = signingKeys(parseSecretKeys(secretKeys), 'audit-head')
  // A delivery may end meanwhile, and its row waits for the next round.
  const stored = async () => {
    const { rows } = await owner.query<{ count: number }>(sql`
      select count(*)::int as count from audit where clinic_id = ${clinic_id}`)
    return rows[0]?.count ?? 0
  }
  const count = await stored()
  let monotonicMs = 0
  const sealer = new AuditSealer({ keys, now: () => new Date(), monotonic: () => monotonicMs })
  for (let round = 0; round < 2; round++) {
    await sealer.seal(owner, clinic_id)
    monotonicMs += 60_000
  }
  const verdict = await verifyAudit(owner, clinic_id, { keys, keptSince: null, expected: null })
  if (!verdict.sound) return JSON.stringify(verdict)
  const isWhole = verdict.rows >= count && verdict.rows <= (await stored())
  return isWhole ? null : `${verdict.rows} of ${count} rows are sealed`
}
