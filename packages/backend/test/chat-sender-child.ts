// A process that sends to a platform elsewhere until it is killed. It reports each message's progress on its standard output.
//
// node chat-sender-child.ts <database url> <platform url> <access token> <halt> <milliseconds that its clock is ahead> <clinic>
// halt: `claimed` stops before the platform is called, `answered` before its answer is stored, `never` not at all.
import { openDatabase } from '@clinic-data/database'
import type { MessagingPlatform } from '@clinic-data/messaging/messaging-platform'
import { WhatsAppPlatform } from '@clinic-data/messaging/whatsapp'
import { realClock } from '@clinic-data/surface/clock'
import { asApplication } from '@clinic-data/testing/run/application'
import { ChatSender } from '../src/sending/chat-sender.ts'

const [url = '', baseUrl = '', token = '', halt = 'never', aheadMs = '0', clinic_id = ''] = process.argv.slice(2)
const clock = { ...realClock, now: () => new Date(Date.now() + Number(aheadMs)) }
const log = { warn: () => undefined, error: () => undefined }
const database = await openDatabase(asApplication(url))
const whatsapp = new WhatsAppPlatform({ accessToken: () => token, baseUrl })
const forever = new Promise<never>(() => undefined)
const say = (line: string) => process.stdout.write(`${line}\n`)

const halting: MessagingPlatform = {
  send: async (account, message, signal) => {
    say(`claimed ${message.message_id}`)
    if (halt === 'claimed') return forever
    const outcome = await whatsapp.send(account, message, signal)
    say(`answered ${message.message_id}`)
    return halt === 'answered' ? forever : outcome
  },
  fetchMedia: (...args) => whatsapp.fetchMedia(...args),
  close: () => whatsapp.close(),
}

const sender = new ChatSender({ database, platforms: { simulated: halting, whatsapp: halting }, log, clock })
sender.wake(clinic_id)
// It sends only its own messages: it does not scan for due ones.
setInterval(() => sender.wake(clinic_id), 20)
