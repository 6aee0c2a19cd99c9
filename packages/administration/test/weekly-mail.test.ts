// The weekly mail: who gets it, when, how often, and what is not in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { sql } from '@clinic-data/database'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { disableAdministrator } from '../src/administrators.ts'
import { smtpMail } from '../src/people/smtp-mail.ts'
import { dueMails, nextMonday, takeMail } from '../src/weekly-mail/due.ts'
import { sendWeeklyMails } from '../src/weekly-mail/send.ts'
import { openConsole, type Person, send } from './console-ground.ts'
import { integrationGround, storeWebhook } from './integration-ground.ts'
import { MailServer, textOf } from './mail-server.ts'
import { inRole, setRole } from './people-ground.ts'

// A round sends the mails of all clinics.
const { owner } = await ownGround(schema)
const server = new MailServer()
const port = await server.start()
const mail = smtpMail({
  host: '127.0.0.1',
  port,
  isSecure: false,
  isHere: true,
  login: null,
  from: 'console@clinic.example',
})
const lines: unknown[][] = []
const log = { ...failingLog, warn: (...line: unknown[]) => void lines.push(line) }
const opened = await openConsole(owner, { mail })
const going = new AbortController().signal
const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS

/** One round of a dispatcher. */
const round = (now: Date) =>
  sendWeeklyMails(owner, { mail, consoleUrl: 'https://desk.clinic.example', log, now: () => now }, going)
const mailsTo = ({ email }: Person) => server.mails.filter((one) => one.includes(email)).map(textOf)
const after = (at: Date, ms: number) => new Date(at.getTime() + ms)

async function choosing(language: 'en' | 'he' | null = 'en') {
  const ground = await integrationGround(opened, owner)
  const choose = async (wanted: typeof language) => {
    const { status, json } = await ground.post('/weekly-mail', { language: wanted })
    assert.equal(status, 200, JSON.stringify(json))
    return json.data
  }
  const { wanted } = await choose(language)
  return { ...ground, choose, due: wanted === null ? new Date() : new Date(wanted.due_at) }
}

test('the next mail comes on Monday at eight by the clinic’s clock, also where clocks change in between', () => {
  for (const [zone, now, expected] of [
    ['UTC', '2026-11-26T12:00:00Z', '2026-11-30T08:00:00Z'],
    ['Asia/Jerusalem', '2026-11-30T05:59:00Z', '2026-11-30T06:00:00Z'],
    ['Asia/Jerusalem', '2026-11-30T06:00:00Z', '2026-12-07T06:00:00Z'],
    // Its clocks go on on the Friday before, and on the Sunday of the week in New York.
    ['Asia/Jerusalem', '2026-03-25T12:00:00Z', '2026-03-30T05:00:00Z'],
    ['America/New_York', '2026-03-06T12:00:00Z', '2026-03-09T12:00:00Z'],
    ['America/New_York', '2026-10-30T12:00:00Z', '2026-11-02T13:00:00Z'],
    ['Pacific/Auckland', '2026-11-29T18:30:00Z', '2026-11-29T19:00:00Z'],
    ['America/St_Johns', '2026-11-30T11:29:00Z', '2026-11-30T11:30:00Z'],
  ] as const)
    assert.equal(nextMonday(new Date(now), zone).toISOString(), new Date(expected).toISOString(), `${zone} ${now}`)
})

test('whoever has chosen nothing gets no mail, and whoever has ended it none any more', async () => {
  const { noa, choose, read, due } = await choosing(null)
  assert.deepEqual(await read('/weekly-mail'), { is_offered: true, wanted: null })
  const first = new Date((await choose('en')).wanted.due_at)
  await choose(null)
  await round(after(due, 2 * WEEK_MS))
  await round(after(first, 1))
  assert.deepEqual(mailsTo(noa), [])
})

test('a mail is sent once a week, however many dispatchers look, and none before it is due', async () => {
  const { noa, due, read } = await choosing()
  await round(after(due, -1))
  assert.equal(mailsTo(noa).length, 0)
  await Promise.all([round(due), round(due), round(due)])
  await round(after(due, 5 * MINUTE_MS))
  assert.equal(mailsTo(noa).length, 1)
  const { wanted } = await read('/weekly-mail')
  assert.deepEqual([Date.parse(wanted.sent_at), wanted.failed_at], [due.getTime(), null])
  await round(new Date(wanted.due_at))
  assert.equal(mailsTo(noa).length, 2)
})

test('a process that is killed between taking a mail and sending it sends none that week, and neither does another', async () => {
  const { noa, clinic_id, due } = await choosing()
  const holder = { clinic_id, id: noa.id }
  assert.equal((await takeMail(owner, holder, due))?.to, noa.email)
  assert.equal(await takeMail(owner, holder, due), null)
  assert.deepEqual(
    (await dueMails(owner, after(due, WEEK_MS / 2))).filter(({ id }) => id === noa.id),
    [],
  )
  await round(after(due, WEEK_MS / 2))
  assert.equal(mailsTo(noa).length, 0)
})

test('the mail tells names of partners and counts, and no patient, no secret, no address of a webhook and no token', async () => {
  const { noa, clinic_id, cookie, mint, due } = await choosing()
  const soon = after(due, 3 * 24 * 60 * MINUTE_MS).toISOString()
  const key = await mint('Desk CRM', { expires_at: soon })
  const webhook = await storeWebhook(owner, clinic_id, { integration_id: key.integration.id })
  await owner.query(
    sql`update lane set failing_since = now() where clinic_id = ${clinic_id} and subscription_id = ${webhook}`,
  )
  await owner.query(sql`update subscription set created_at = ${due} where clinic_id = ${clinic_id} and id = ${webhook}`)
  await owner.query(sql`update api_key set created_at = ${due} where clinic_id = ${clinic_id} and id = ${key.id}`)
  await round(due)
  const [text = ''] = mailsTo(noa)
  for (const said of [
    'Integrations: 1',
    'New key: \u2068Desk CRM',
    'New webhook: \u2068Desk CRM',
    '1 failing',
    soon.slice(0, 10),
  ])
    assert.ok(text.includes(said), `${said} in ${text}`)
  assert.ok(text.includes('https://desk.clinic.example/console/account'))
  const kept = [key.key, webhook.replace('_', '-'), cookie.split('=')[1] ?? '', '#link', '#invite']
  for (const secret of kept) assert.ok(!text.includes(secret), secret)
})

test('the mail is in the language that the person chose', async () => {
  const { noa, choose, due } = await choosing('en')
  await choose('he')
  await round(due)
  assert.match(mailsTo(noa)[0] ?? '', /שלום \u2068Noa Levi/)
})

test('a person who was disabled or removed, or whose role may not see the home page, gets none', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const people = await Promise.all([1, 2, 3].map(() => inRole(opened, owner, 'administrator', noa.clinic)))
  for (const { cookie } of people)
    assert.equal((await send(opened, '/weekly-mail', { cookie, body: { language: 'en' } })).status, 200)
  const [gil, dan, eve] = people
  if (!gil || !dan || !eve) return assert.fail('no people')
  const { clinic_id } = noa.clinic
  await disableAdministrator(owner, { clinic_id, id: gil.id, now: new Date() })
  assert.equal((await send(opened, `/people/${dan.id}/remove`, { cookie: noa.cookie })).status, 204)
  await setRole(owner, eve, 'auditor')
  const due = nextMonday(new Date(), noa.clinic.time_zone)
  await round(due)
  assert.deepEqual(people.flatMap(mailsTo), [])
  await setRole(owner, eve, 'developer')
  await round(after(due, WEEK_MS + 60 * MINUTE_MS))
  assert.equal(mailsTo(eve).length, 1)
})

test('a mail that the server refuses is tried again three times, then noted, and the next week begins anew', async () => {
  const { noa, due, read } = await choosing()
  server.refuses = true
  let at = due
  for (const minutes of [0, 5, 15, 40, 60]) {
    at = after(at, minutes * MINUTE_MS)
    await round(at)
  }
  server.refuses = false
  assert.equal(server.refused.filter((one) => one.includes(noa.email)).length, 4)
  const { wanted } = await read('/weekly-mail')
  assert.equal(Date.parse(wanted.failed_at), due.getTime() + 60 * MINUTE_MS)
  assert.deepEqual(
    new Set(lines.map((line) => JSON.stringify(line))),
    new Set([JSON.stringify([{ reason: 'EENVELOPE' }, 'a weekly mail could not be sent'])]),
  )
  await round(new Date(wanted.due_at))
  assert.equal(mailsTo(noa).length, 1)
  assert.equal((await read('/weekly-mail')).wanted.failed_at, null)
})

test('where no mail server is set the mail is not offered, and what was chosen before can be ended', async () => {
  const { cookie } = await choosing()
  const without = await openConsole(owner)
  const ask = (language: string | null) => send(without, '/weekly-mail', { cookie, body: { language } })
  assert.equal((await send(without, '/weekly-mail', { method: 'GET', cookie })).json.data.is_offered, false)
  assert.equal((await ask('en')).status, 409)
  assert.equal((await ask(null)).status, 200)
})
