// Who is told of unusual use of keys, how often, and what is not in it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { storeAlerts } from '@clinic-data/audit/watch/alerts'
import { markStopped } from '@clinic-data/audit/watch/stopping-rules'
import { watchLogs } from '@clinic-data/audit/watch/watch-log'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { newWebhookSecret, serviceSignature } from '@clinic-data/contract/webhook-signature'
import { sql } from '@clinic-data/database'
import { insert } from '@clinic-data/testing/grounds/rows'
import { hookReceiver } from '@clinic-data/testing/receivers/hook-receiver'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { failingLog, testClinic } from '@clinic-data/testing/run/test-database'
import { alertWebhook } from '../src/alerts/alert-webhook.ts'
import { MOST_A_DAY, MOST_WITH_STOPS, tellAlerts } from '../src/alerts/tell.ts'
import { smtpMail } from '../src/people/smtp-mail.ts'
import { MailServer, textOf } from './mail-server.ts'

const { owner } = await ownGround(schema)
const server = new MailServer()
const smtp = { host: '127.0.0.1', isSecure: false, isHere: true, login: null, from: 'console@clinic.example' }
const mail = smtpMail({ ...smtp, port: await server.start() })
const receiver = await hookReceiver()
after(() => receiver.close())
const secret = newWebhookSecret()
const webhook = alertWebhook({ url: receiver.url, secret })
after(() => webhook.close())
const log = { ...failingLog, warn: () => undefined }
const NOW = new Date('2026-07-12T09:00:00Z')
const MINUTE_MS = 60_000
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS)

async function clinicWithPeople(): Promise<Clinic & { name: string }> {
  const clinic = await testClinic(owner)
  await watchLogs(owner, [clinic], { now: NOW })
  for (const [id, role] of [
    ['adm_1', 'owner'],
    ['adm_2', 'administrator'],
    ['adm_3', 'auditor'],
  ] as const)
    await insert(owner, clinic, 'administrator', {
      id,
      role,
      email: `${id}@${clinic.clinic_id}.example`,
      name: id,
      password: null,
      created_at: NOW.toISOString(),
    })
  return { ...clinic, name: 'Smile' }
}

const notice = (clinic: Clinic, key_id: string, now = NOW) =>
  owner.write(clinic, (tx) =>
    storeAlerts(tx, clinic.clinic_id, {
      notices: [
        {
          rule: 'many_patients',
          key_id,
          day: '2026-07-12',
          facts: { patients: 4_112, busiest: 310, busiest_day: null },
        },
      ],
      now,
    }),
  )
const tell = (clinic: Clinic & { name: string }, now: Date, by: { mail?: typeof mail; webhook?: typeof webhook }) =>
  tellAlerts(owner, clinic, {
    mail: null,
    webhook: null,
    ...by,
    consoleUrl: 'https://desk.clinic.example',
    log,
    now: () => now,
  })
const mailsOf = ({ clinic_id }: Clinic) => server.mails.filter((one) => one.includes(clinic_id))

test('owners and administrators get one mail of what was noticed together, with its reason, and nobody else one', async () => {
  const clinic = await clinicWithPeople()
  await notice(clinic, 'key_1')
  await notice(clinic, 'key_2')
  await Promise.all([1, 2, 3].map(() => tell(clinic, later(1), { mail })))
  await tell(clinic, later(6), { mail })
  const mails = mailsOf(clinic)
  assert.equal(mails.length, 2)
  for (const one of mails) {
    assert.doesNotMatch(one, /adm_3/)
    assert.match(textOf(one), /key_1 read 4,112 people in a day; its busiest day was 310/)
    assert.match(textOf(one), /key_2 read/)
  }
})

test('at most three mails a day and person come; what is left comes on the next day', async () => {
  const clinic = await clinicWithPeople()
  for (let n = 0; n < 6; n += 1) {
    await notice(clinic, `key_${n}`, later(n * 10))
    await tell(clinic, later(n * 10 + 1), { mail })
  }
  assert.equal(mailsOf(clinic).length, 2 * MOST_A_DAY)
  assert.match(textOf(mailsOf(clinic).at(-1) ?? ''), /No other mail comes today/)
  await tell(clinic, later(24 * 60), { mail })
  assert.equal(mailsOf(clinic).length, 2 * MOST_A_DAY + 2)
})

test('a mail that the server has surely not taken comes later', async () => {
  const clinic = await clinicWithPeople()
  await notice(clinic, 'key_1')
  server.refuses = true
  await tell(clinic, later(1), { mail })
  server.refuses = false
  await tell(clinic, later(2), { mail })
  assert.equal(mailsOf(clinic).length, 0)
  await tell(clinic, later(20), { mail })
  assert.equal(mailsOf(clinic).length, 2)
})

test('the operator’s address gets each once, signed, with counts; one that refused gets it again with the same id', async () => {
  const clinic = await clinicWithPeople()
  await notice(clinic, 'key_1')
  const ids: string[] = []
  const refusing = {
    ...webhook,
    post: async (bundle: Parameters<typeof webhook.post>[0]) => {
      const before = await webhook.post(bundle, NOW)
      ids.push(JSON.parse((await receiver.next()).body).id)
      return before ?? 'status_503'
    },
  }
  await tell(clinic, later(1), { webhook: refusing })
  await Promise.all([1, 2].map(() => tell(clinic, later(20), { webhook })))
  const { signature, body } = await receiver.next()
  assert.equal(signature, serviceSignature(secret, body))
  const { id, type, clinic_id, alerts, more } = JSON.parse(body)
  assert.deepEqual([type, clinic_id, more], ['audit.alerts', clinic.clinic_id, 0])
  assert.equal(id, ids[0])
  assert.deepEqual(alerts[0].facts, { patients: 4_112, busiest: 310, busiest_day: null })
  await tell(clinic, later(40), { webhook })
  const { rows } = await owner.query<{ counts: { webhook: { count: number } } }>(
    sql`select counts from audit_watch where clinic_id = ${clinic.clinic_id}`,
  )
  assert.equal(rows[0]?.counts.webhook.count, 1)
})

const stop = (clinic: Clinic, key_id: string, now: Date) =>
  owner.write(clinic, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      sql`select id from audit_alert where clinic_id = ${clinic.clinic_id} and key_id = ${key_id}`,
    )
    await markStopped(tx, clinic.clinic_id, { ids: rows.map(({ id }) => id), now })
  })

test('what a rule has stopped is told by each way, also to whoever heard of it before, with another id', async () => {
  const clinic = await clinicWithPeople()
  await notice(clinic, 'key_1')
  await tell(clinic, later(1), { mail, webhook })
  const first = JSON.parse((await receiver.next()).body)
  assert.equal(first.alerts[0].stopped_at, null)
  assert.doesNotMatch(textOf(mailsOf(clinic)[0] ?? ''), /stopped by this rule/)
  await stop(clinic, 'key_1', later(2))
  await tell(clinic, later(3), { mail, webhook })
  const [told] = mailsOf(clinic).slice(2)
  assert.match(textOf(told ?? ''), /Its integration was stopped by this rule at 2026-07-12/)
  assert.match(textOf(told ?? ''), /refused until somebody resumes the integration/)
  const again = JSON.parse((await receiver.next()).body)
  assert.notEqual(again.id, first.id)
  assert.equal(new Date(again.alerts[0].stopped_at).getTime(), later(2).getTime())
  assert.match(again.alerts[0].reason, /stopped by this rule/)
})

test('what a rule has stopped is told on the same day, also after three mails, and comes first', async () => {
  const clinic = await clinicWithPeople()
  for (let n = 0; n < MOST_A_DAY; n += 1) {
    await notice(clinic, `key_${n}`, later(n * 10))
    await tell(clinic, later(n * 10 + 1), { mail })
  }
  await notice(clinic, 'key_told', later(50))
  await notice(clinic, 'key_stopped', later(51))
  await stop(clinic, 'key_stopped', later(52))
  await tell(clinic, later(53), { mail })
  const last = textOf(mailsOf(clinic).at(-1) ?? '')
  assert.equal(mailsOf(clinic).length, 2 * (MOST_A_DAY + 1))
  assert.match(last, /key_stopped read/)
  assert.doesNotMatch(last, /key_told/)
  for (let n = 0; n < MOST_WITH_STOPS; n += 1) {
    await notice(clinic, `key_more_${n}`, later(60 + n))
    await stop(clinic, `key_more_${n}`, later(60 + n))
    await tell(clinic, later(60 + n), { mail })
  }
  assert.equal(mailsOf(clinic).length, 2 * MOST_WITH_STOPS)
})
