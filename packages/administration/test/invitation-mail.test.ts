// Tests the mail of an invitation against a mail server that speaks the protocol.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { smtpMail } from '../src/people/smtp-mail.ts'
import { openConsole } from './console-ground.ts'
import { accept, INVITED, inRole, invitationBy } from './people-ground.ts'

const { owner } = await testDatabase()

/** Takes mails, or refuses each recipient. */
class MailServer {
  readonly recipients: string[] = []
  text = ''
  refuses = false
  readonly #server = createServer((socket) => this.#serve(socket))

  async start(): Promise<number> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    after(() => this.#server.close())
    const address = this.#server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  #serve(socket: Socket): void {
    let isData = false
    const answer = (line: string) => socket.write(`${line}\r\n`)
    answer('220 mail.example')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      for (const line of chunk.split('\r\n').slice(0, -1)) {
        if (isData && line !== '.') this.text += `${line}\n`
        else if (isData) {
          isData = false
          answer('250 taken')
        } else if (line.startsWith('RCPT TO:')) {
          if (!this.refuses) this.recipients.push(line.slice(8))
          answer(this.refuses ? '550 nobody of this name' : '250 yes')
        } else if (line === 'DATA') {
          isData = true
          answer('354 go on')
        } else if (line === 'QUIT') socket.end('221 bye\r\n')
        else answer('250 mail.example')
      }
    })
  }
}

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

/** As a mail program shows it. */
const decoded = (text: string) =>
  Buffer.from(
    text.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

test('an invitation is mailed to its address alone, with the link, in the language that was chosen', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const { mail, url, token } = await invitationBy(opened, noa, { ...INVITED, language: 'he' })
  assert.equal(mail, 'sent')
  assert.deepEqual(server.recipients, [`<${INVITED.email}>`])
  assert.ok(url.startsWith('https://desk.clinic.example/console/#invite='))
  const encoding = /content-transfer-encoding: (\S+)/i.exec(server.text)?.[1]
  const body = server.text.slice(server.text.indexOf('\n\n') + 2)
  const text = encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : decoded(body)
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
