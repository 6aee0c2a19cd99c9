// A mail server for the tests: it speaks as much of the protocol as a mail needs.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** Takes mails, or refuses each recipient. */
export class MailServer {
  readonly recipients: string[] = []
  text = ''
  /** Each mail that was taken, the latest last. */
  readonly mails: string[] = []
  refuses = false
  readonly refused: string[] = []
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
    let mail = ''
    const answer = (line: string) => socket.write(`${line}\r\n`)
    answer('220 mail.example')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      for (const line of chunk.split('\r\n').slice(0, -1)) {
        if (isData && line !== '.') {
          this.text += `${line}\n`
          mail += `${line}\n`
        } else if (isData) {
          isData = false
          this.mails.push(mail)
          mail = ''
          answer('250 taken')
        } else if (line.startsWith('RCPT TO:')) {
          if (this.refuses) this.refused.push(line.slice(8))
          else this.recipients.push(line.slice(8))
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

/** The text of a mail as a mail program shows it. */
export function textOf(mail: string): string {
  const encoding = /content-transfer-encoding: (\S+)/i.exec(mail)?.[1]
  const body = mail.slice(mail.indexOf('\n\n') + 2)
  return encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : decoded(body)
}

const decoded = (text: string) =>
  Buffer.from(
    text.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
