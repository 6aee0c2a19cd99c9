// The base of `webhooks.ts`: a separate database with a few clinics, their subscriptions, and the backlog of the bad endpoints.
import { randomBytes } from 'node:crypto'
import { createClinic } from '@clinic-data/administration/clinics'
import { migrations, tables } from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { type Database, sql } from '@clinic-data/database'
import { migrate } from '@clinic-data/database/schema/migrate'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { emit } from '@clinic-data/webhooks'
import { sealSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'

export const CLINICS = 4
export const HEALTHY_PER_CLINIC = 5

/** Older than all events of a run, so an engine that takes the oldest first takes these first. */
const BACKLOG_AGE_MS = 60_000

/** With this padding an event and its envelope have 1 KB. */
const DATA = JSON.stringify({ id: 'apt_measured', note: 'n'.repeat(850) })

export const secretKeys = `bench:${randomBytes(32).toString('base64')}`
const keys = signingKeys(parseSecretKeys(secretKeys), 'webhook-secret')

/** A bad endpoint, and the number of deliveries waiting for it when a run begins. */
export interface Bad {
  behaviour: string
  backlog: number
}

/** Clinics with healthy subscriptions to everything, each at its own origin, beginning with the first of `origins`. */
export async function prepare(owner: Database, origins: readonly string[]): Promise<Clinic[]> {
  await migrate(owner, migrations, { tables, log: () => undefined })
  await owner.query(sql`select maintain_events(30, null)`)
  const clinics: Clinic[] = []
  for (let c = 0; c < CLINICS; c++) {
    const clinic = await createClinic(owner, { ...DEMO_CLINIC, clinic_id: `measured-${c}`, name: 'Measured clinic' })
    clinics.push(clinic)
    for (let s = 0; s < HEALTHY_PER_CLINIC; s++)
      await subscribe(owner, clinic, `well-${s}`, `${origins[c * HEALTHY_PER_CLINIC + s]}/healthy/${c}-${s}`)
  }
  return clinics
}

/** Clears all deliveries and sets the bad endpoints, each in the next clinic, beside healthy ones. */
export async function reset(
  owner: Database,
  clinics: readonly Clinic[],
  origins: readonly string[],
  bad: readonly Bad[],
) {
  await owner.query(sql`truncate event, delivery, attempt`)
  await owner.query(sql`delete from lane`)
  await owner.query(sql`delete from subscription where id like 'bad-%'`)
  await owner.query(sql`insert into lane (clinic_id, subscription_id) select clinic_id, id from subscription`)
  for (const [i, { behaviour, backlog }] of bad.entries()) {
    const clinic = clinics[i % clinics.length] as Clinic
    await subscribe(owner, clinic, `bad-${behaviour}`, `${origins[CLINICS * HEALTHY_PER_CLINIC + i]}/${behaviour}/${i}`)
    await owner.query(
      sql`insert into lane (clinic_id, subscription_id) values (${clinic.clinic_id}, ${`bad-${behaviour}`})`,
    )
    await wait(owner, clinic, `bad-${behaviour}`, backlog)
  }
  if (bad.length > 0) await owner.query(sql`analyze event, delivery, attempt, lane, subscription`)
}

/** Emits this many events in one transaction, made at `at`. */
export async function happen(app: Database, clinic: Clinic, count: number, at: Date): Promise<void> {
  const changes = Array.from({ length: count }, () => ({ type: 'appointment.created' as const, data: DATA }))
  await app.write(clinic, (tx) => emit(tx, clinic, changes, at))
}

async function subscribe(owner: Database, { clinic_id }: Clinic, id: string, url: string): Promise<void> {
  const secret = sealSecret(keys, { clinic_id, subscription_id: id }, newWebhookSecret())
  await owner.query(sql`
    insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
    values (${clinic_id}, ${id}, ${url}, '{}', ${secret}, 'abcd', now())`)
}

async function wait(owner: Database, { clinic_id }: Clinic, subscription_id: string, count: number): Promise<void> {
  const at = new Date(Date.now() - BACKLOG_AGE_MS)
  const id = sql`'evt_' || ${subscription_id} || number`
  const body = `{"type":"appointment.created","data":${DATA}}`
  await owner.query(sql`insert into event (clinic_id, id, position, type, body, created_at)
    select ${clinic_id}, ${id}, number, 'appointment.created', ${body}, ${at} from generate_series(1, ${count}::int) number`)
  await owner.query(sql`
    insert into delivery (clinic_id, subscription_id, id, event_id, event_type, due_at, created_at)
    select ${clinic_id}, ${subscription_id}, 'dlv_' || ${subscription_id} || number, ${id}, 'appointment.created', ${at}, ${at}
    from generate_series(1, ${count}::int) number`)
}
