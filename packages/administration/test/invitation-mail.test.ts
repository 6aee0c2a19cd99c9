// Tests the mail of an invitation against a mail server that speaks the protocol.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { smtpMail } from '../src/people/smtp-mail.ts'
import { openConsole } from './console-ground.ts'
import { MailServer, textOf } from './mail-server.ts'
import { accept, INVITED, inRole, invitationBy } from './people-ground.ts'

const { owner } = await testDatabase()

const server = new MailServer()
const port = await server.start()
const settings = { host: '127.0.0.1', port, isSecure: false, isHere: true, login: null, from: 'console@clinic.example' }
const lines: unknown[][] = []
const log = { ...failingLog, warn: (...line: unknown[]) => void lines.push(line) }
const opened = await openConsole(owner, {
  log,
  mail: smtpMail(settings),
  consoleUrl: 'https://desk.clinic.example',
})

test('an invitation is mailed to its address alone, with the link, in the language that was chosen', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const { mail, url, token } = await invitationBy(opened, noa, { ...INVITED, language: 'he' })
  assert.equal(mail, 'sent')
  assert.deepEqual(server.recipients, [`<${INVITED.email}>`])
  assert.ok(url.startsWith('https://desk.clinic.example/console/#invite='))
  const text = textOf(server.text)
  assert.ok(text.includes(url), text)
  assert.match(text, /שלום Dana Cohen/)
  assert.equal((await accept(opened, token)).status, 200)
})

test('an invitation that cannot be mailed is there to be copied, and the log holds no address', async () => {
  const noa = await inRole(opened, owner, 'owner')
  server.refuses = true
  const { mail, token } = await invitationBy(opened, noa)
  assert.equal(mail, 'failed')
  assert.equal((await accept(opened, token)).status, 200)
  const away = await openConsole(owner, { log, mail: smtpMail({ ...settings, port: 9 }) })
  assert.equal((await invitationBy(away, noa, { ...INVITED, email: 'dan@clinic.example' })).mail, 'failed')
  assert.deepEqual(lines, [
    [{ reason: 'EENVELOPE' }, 'an invitation could not be mailed'],
    [{ reason: 'ESOCKET' }, 'an invitation could not be mailed'],
  ])
})
