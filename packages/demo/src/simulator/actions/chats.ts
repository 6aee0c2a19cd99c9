// Patients write, staff answer, and the platform reports the outcome of the answers.
import { CHAT_SCRIPTS } from '../../dialogues.ts'
import type { LivingClinic } from '../living-clinic.ts'
import type { Action } from './action.ts'

const INBOUND = '/chat/messages'
const STAFF = '/chat/staff-messages'

const linesOf = (who: 'clinic' | 'patient') =>
  CHAT_SCRIPTS.flat().flatMap(({ from, text, picture }) => (from === who && !picture ? [text] : []))
const [patientLines, clinicLines] = [linesOf('patient'), linesOf('clinic')]

export async function write(clinic: LivingClinic): Promise<boolean> {
  const { random } = clinic
  const { first_name, phone } = random.pick(clinic.people)
  const id = clinic.newId('wa')
  const message = {
    platform_message_id: id,
    from_phone: phone,
    display_name: first_name,
    type: 'text',
    text: random.pick(patientLines),
    created_at: clinic.instant(),
  }
  await clinic.ingest.send(INBOUND, message)
  clinic.sentTo(INBOUND).keep(id, message)
  clinic.expect('chat.message.received')
  return true
}

async function answer(clinic: LivingClinic): Promise<boolean> {
  const { random } = clinic
  const question = clinic.sentTo(INBOUND).pick(random)
  if (question === undefined) return false
  const id = clinic.newId('wa')
  const message = {
    platform_message_id: id,
    to_phone: question.from_phone,
    type: 'text',
    text: random.pick(clinicLines),
    sent_at: clinic.instant(),
  }
  await clinic.ingest.send(STAFF, message)
  clinic.sentTo(STAFF).keep(id, message)
  clinic.expect('chat.message.sent')
  followUp(clinic, id)
  return true
}

/** Most are delivered and many are read; a few fail. */
function followUp(clinic: LivingClinic, platform_message_id: string): void {
  const report = (status: 'delivered' | 'read' | 'failed', seconds: number) =>
    clinic.later(seconds, async () => {
      const receipt = { platform_message_id, status, at: clinic.instant() }
      await clinic.ingest.send('/chat/receipts', receipt)
      clinic.sentTo('/chat/receipts').keep(`${platform_message_id} ${status}`, receipt)
      clinic.expect(`chat.message.${status}`)
    })
  const isDelivered = !clinic.random.chance(0.04)
  report(isDelivered ? 'delivered' : 'failed', 1)
  if (isDelivered && clinic.random.chance(0.7)) report('read', 3)
}

export const chatActions: readonly Action[] = [
  { name: 'a patient writes', weight: 4, run: write },
  { name: 'staff answer', weight: 2, run: answer },
]
