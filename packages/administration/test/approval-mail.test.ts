// The mail about a request for approval: who gets one, how often, and what is not in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
import { type Database, sql } from '@clinic-data/database'
import { DatabaseUnavailable } from '@clinic-data/database/connections/database-failure'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { until } from '@clinic-data/testing/until'
import { disableAdministrator } from '../src/administrators.ts'
import { smtpMail } from '../src/people/smtp-mail.ts'
import type { Message } from '../src/sign-in/mail.ts'
import { approvalGround, codesOf, KEY, WAITS } from './approval-ground.ts'
import { openConsole, type Person } from './console-ground.ts'
import { MailServer } from './mail-server.ts'
import { inRole } from './people-ground.ts'

const { owner } = await testDatabase()
const sent: Message[] = []
const mail = { send: async (message: Message) => void sent.push(message) }
const opened = await openConsole(owner, { mail, consoleUrl: 'https://desk.clinic.example' })
const { clinicOfTwo, mint } = approvalGround(owner, opened)
const mailsTo = ({ email }: Person) => sent.flatMap(({ to, text }) => (to === email ? [text] : []))

test('everybody who may approve is told that somebody waits, in both languages, and not for what', async () => {
  const { noa, dan, tal } = await clinicOfTwo()
  const auditor = await inRole(opened, owner, 'auditor', noa.clinic)
  const gone = await inRole(opened, owner, 'owner', noa.clinic)
  await disableAdministrator(owner, { clinic_id: noa.clinic.clinic_id, id: gone.id, now: new Date() })
  const stranger = await inRole(opened, owner, 'owner')
  assert.deepEqual(codesOf(await mint(noa)), WAITS)
  assert.equal(mailsTo(tal).length, 1)
  const [text = ''] = mailsTo(dan)
  assert.match(text, /Noa Levi asks for something in the console of/)
  assert.match(text, /ממתינה לאישור בקשה מאת Noa Levi/)
  assert.match(text, /https:\/\/desk\.clinic\.example\/console\/approvals/)
  assert.doesNotMatch(text, /CRM|patients|key/)
  for (const one of [noa, auditor, gone, stranger]) assert.deepEqual(mailsTo(one), [])
})

test('the same request again tells nobody anew, and many of one person are told a few times', async () => {
  const { noa, dan, tal } = await clinicOfTwo()
  await mint(noa)
  await mint(noa)
  for (let count = 1; count < APPROVALS.most_mailed_an_hour + 3; count++)
    await mint(noa, { ...KEY, name: `CRM ${count}` })
  await mint(tal)
  assert.equal(mailsTo(dan).length, APPROVALS.most_mailed_an_hour + 1)
  assert.equal(mailsTo(tal).length, APPROVALS.most_mailed_an_hour)
  const earlier = new Date(Date.now() - 61 * 60_000)
  await owner.query(sql`update approval set asked_at = ${earlier} where clinic_id = ${noa.clinic.clinic_id}`)
  await mint(noa, { ...KEY, name: 'Later' })
  assert.equal(mailsTo(dan).length, APPROVALS.most_mailed_an_hour + 2)
})

test('a mail server that refuses changes nothing of the request, and the log names nobody', async () => {
  const server = new MailServer()
  server.refuses = true
  const port = await server.start()
  const lines: unknown[][] = []
  const log = { ...failingLog, warn: (...line: unknown[]) => void lines.push(line) }
  const settings = { host: '127.0.0.1', port, isSecure: false, isHere: true, login: null, from: 'desk@clinic.example' }
  const refusing = approvalGround(owner, await openConsole(owner, { log, mail: smtpMail(settings) }))
  const { noa } = await refusing.clinicOfTwo()
  assert.deepEqual(codesOf(await refusing.mint(noa)), WAITS)
  // Nothing waits for the mail server.
  await until(
    async () => lines.length === 2,
    () => JSON.stringify(lines),
  )
  assert.deepEqual(lines, Array(2).fill([{ reason: 'EENVELOPE' }, 'a request for approval could not be mailed']))
})

test('a request whose readers of mail cannot be read waits all the same, and is answered so', async () => {
  const lines: string[] = []
  const log = { ...failingLog, warn: (_: unknown, line: string) => void lines.push(line) }
  const read: Database['read'] = (clinic, statement) =>
    statement.render().text.includes('order by created_at, id limit')
      ? Promise.reject(new DatabaseUnavailable())
      : owner.read(clinic, statement)
  const consoleDatabase = new Proxy(owner, {
    get(database, name: keyof Database) {
      const member: unknown = name === 'read' ? read : database[name]
      return typeof member === 'function' ? member.bind(database) : member
    },
  })
  const ground = approvalGround(owner, await openConsole(owner, { consoleDatabase, log, mail }))
  const { noa, dan } = await ground.clinicOfTwo()
  assert.deepEqual(codesOf(await ground.mint(noa)), WAITS)
  assert.deepEqual(lines, ['it could not be read who is to be mailed about a request for approval'])
  assert.equal((await ground.latest(dan)).state, 'waiting')
  assert.deepEqual(mailsTo(dan), [])
})
