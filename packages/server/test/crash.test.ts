// A service that is killed in the middle of its work: what was answered is there, what was not is there once the client has
// asked again with the same key, and nothing is there twice.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClinic } from '@clinic-data/backend/clinics'
import { mintKey } from '@clinic-data/backend/keys'
import { allScopes } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { newClinicId } from '../../../test/service.ts'
import { insert, insertPatient } from '../../backend/test/rows.ts'
import { ownGround } from '../../webhooks/test/own-ground.ts'

const PROGRAM = join(import.meta.dirname, '../bin/clinicd.mjs')
const CLIENTS = 6
const KILLS = 3
/** Between a start and the next kill. */
const ANSWERS = 60

// A service looks after every clinic of its database, by its own clock: other files' clinics live at other times.
const { url, owner } = await ownGround()
const folder = await mkdtemp(join(tmpdir(), 'crash-'))
after(() => rm(folder, { recursive: true, force: true }))

const environment = {
  PATH: process.env.PATH,
  DATABASE_URL: url,
  DATA_DIR: folder,
  SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
  PORT: '0',
  ADMIN_PORT: '0',
}

interface Running {
  child: ChildProcess
  address: string
}

async function start(): Promise<Running> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    const { msg, address } = JSON.parse(line) as { msg: string; address: string }
    if (msg !== 'listening') continue
    child.stderr?.resume()
    return { child, address }
  }
  throw new Error('the service did not start')
}

/** Whoever asks while the service is away waits for the next one. */
class Service {
  #running = start()
  #killing: Promise<void> | null = null

  get address(): Promise<string> {
    return this.#running.then(({ address }) => address)
  }

  kill(): Promise<void> {
    this.#killing ??= this.#killed().finally(() => {
      this.#killing = null
    })
    return this.#killing
  }

  async #killed(): Promise<void> {
    const { child } = await this.#running
    child.kill('SIGKILL')
    await once(child, 'exit')
    this.#running = start()
    await this.#running
  }

  async stop(): Promise<void> {
    const { child } = await this.#running
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

type Kind = 'lead' | 'payment' | 'message'
interface Written {
  kind: Kind
  name: string
  id: string
}

const requests: Record<Kind, (name: string) => { path: string; body: object }> = {
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
const kinds = Object.keys(requests) as Kind[]

/** Asks until there is an answer, with the same key each time. */
async function write(service: Service, key: string, kind: Kind, name: string): Promise<Written> {
  const { path, body } = requests[kind](name)
  for (;;) {
    const answer = await fetch(`${await service.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify(body),
    }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (answer?.ok && text) return { kind, name, id: JSON.parse(text).data.id }
    // The killed one's transaction may not have ended yet (409), or the new one may be starting (503).
    const mayComeBack = !answer || !text || answer.status === 409 || answer.status >= 500
    assert.ok(mayComeBack, `${kind}: ${answer?.status} ${text}`)
    await delay(20)
  }
}

async function clinicToWriteTo() {
  const clinic_id = newClinicId()
  const now = new Date()
  const clinic = await createClinic(owner, {
    clinic_id,
    name: 'Crash',
    time_zone: 'Asia/Jerusalem',
    currency: 'ILS',
    country: 'IL',
    week_start: 0,
    min_visit_minutes: 15,
    now,
  })
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa', phone: '050-1234567' }, ['+972501234567'])
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  const variables = JSON.stringify([{ name: '1', example: 'x' }])
  await insert(owner, clinic, 'chat_template', { id: 'hello', name: 'hello', body: 'Hello {{1}}', variables })
  const minted = { clinic_id, scopes: allScopes, name: 'crash', expires_at: null, rate_limit: 1_000_000, now }
  return { clinic_id, key: (await mintKey(owner, minted)).key }
}

test('what was answered survives SIGKILL, what was not is done once by asking again, and nothing is done twice', async () => {
  const { clinic_id, key } = await clinicToWriteTo()
  const service = new Service()
  const written: Written[] = []
  let kills = 0
  const client = async (number: number) => {
    for (let n = 0; kills < KILLS || written.length < (KILLS + 1) * ANSWERS; n++) {
      const kind = kinds[(number + n) % kinds.length] as Kind
      written.push(await write(service, key, kind, `${kind}-${number}-${n}`))
      // At a different moment of the others' work each time.
      if (kills < KILLS && written.length >= (kills + 1) * ANSWERS) {
        kills += 1
        await service.kill()
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))
  await service.stop()
  const ids = (kind: Kind) =>
    written
      .filter((one) => one.kind === kind)
      .map(({ id }) => id)
      .sort()

  const leads = await owner.query<{ id: string }>(sql`select id from lead where clinic_id = ${clinic_id}`)
  assert.deepEqual(leads.rows.map(({ id }) => id).sort(), ids('lead'))

  const payments = await owner.query<{ id: string; description: string }>(sql`
    select id, description from payment where clinic_id = ${clinic_id}`)
  assert.deepEqual(payments.rows.map(({ id }) => id).sort(), ids('payment'))
  const documents = await owner.query<{ number: number }>(sql`
    select number::int from payment_document where clinic_id = ${clinic_id} order by number`)
  assert.deepEqual(
    documents.rows.map(({ number }) => number),
    payments.rows.map((_, i) => i + 1),
  )
  const events = await owner.query<{ payment_id: string }>(sql`
    select body::json -> 'data' ->> 'id' as payment_id from event
    where clinic_id = ${clinic_id} and type = 'payment.recorded'`)
  assert.deepEqual(events.rows.map(({ payment_id }) => payment_id).sort(), ids('payment'))

  const messages = await owner.query<{ id: string }>(sql`
    select id from chat_message where clinic_id = ${clinic_id} and direction = 'outbound'`)
  assert.deepEqual(messages.rows.map(({ id }) => id).sort(), ids('message'))
  assert.ok(written.length >= (KILLS + 1) * ANSWERS)
})
