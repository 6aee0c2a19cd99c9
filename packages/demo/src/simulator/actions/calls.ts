// The telephone rings; recordings, notes and transcripts follow.
import { CALL_NOTES, CALL_SCRIPTS } from '../../dialogues.ts'
import { recordingOf } from '../../media.ts'
import type { LivingClinic } from '../living-clinic.ts'
import type { Action } from './action.ts'

const PATH = '/calls'
const RECORDING_SECONDS = 3

export async function ring(clinic: LivingClinic): Promise<boolean> {
  const { random, catalog } = clinic
  const isInbound = random.chance(0.7)
  const status = isInbound
    ? random.pick(['answered', 'answered', 'answered', 'missed', 'voicemail'] as const)
    : random.pick(['answered', 'answered', 'no_answer'] as const)
  const ring_seconds = random.whole(2, 20)
  const duration_seconds = status === 'answered' ? random.whole(20, 400) : 0
  const [theirs, ours] = [random.pick(clinic.people).phone, '04-860-0000']
  const call = {
    id: clinic.newId('c'),
    direction: isInbound ? 'inbound' : 'outbound',
    status,
    from_phone: isInbound ? theirs : ours,
    to_phone: isInbound ? ours : theirs,
    branch_id: random.pick(catalog.branches),
    started_at: clinic.instant(-ring_seconds - duration_seconds),
    answered_at: status === 'answered' ? clinic.instant(-duration_seconds) : null,
    ended_at: clinic.instant(),
    duration_seconds,
    ring_seconds,
    is_recorded: status === 'answered' && random.chance(0.8),
  }
  await clinic.tell(PATH, call, 'call.completed')
  if (call.is_recorded) clinic.later(random.whole(1, 5), () => record(clinic, call.id))
  if (status === 'answered' && catalog.transcribes) clinic.later(random.whole(6, 10), () => transcribe(clinic, call))
  return true
}

async function record(clinic: LivingClinic, id: string): Promise<void> {
  const file_id = await clinic.ingest.upload(recordingOf(clinic.random, RECORDING_SECONDS), 'audio/wav', `${id}.wav`)
  const recording = { id, file_id, duration_seconds: RECORDING_SECONDS }
  await clinic.tell('/calls/recordings', recording, 'call.recording.available')
}

async function transcribe(clinic: LivingClinic, call: { id: string; duration_seconds: number }): Promise<void> {
  if (clinic.random.chance(0.05)) {
    return clinic.tell('/calls/transcripts', { id: call.id, status: 'failed' }, 'call.transcript.failed')
  }
  const { language, summary, lines } = clinic.random.pick(CALL_SCRIPTS)
  const seconds = call.duration_seconds / lines.length
  const segments = lines.map((text, i) => ({
    speaker: i % 2 === 0 ? 'agent' : 'patient',
    start_seconds: Math.floor(i * seconds),
    end_seconds: Math.floor((i + 1) * seconds),
    text,
  }))
  const transcript = { id: call.id, status: 'completed', language, summary, segments }
  await clinic.tell('/calls/transcripts', transcript, 'call.transcript.completed')
}

async function note(clinic: LivingClinic): Promise<boolean> {
  const call = clinic.sentTo(PATH).pick(clinic.random)
  if (call === undefined) return false
  const text = `${clinic.random.pick(CALL_NOTES)} ${clinic.newId('note')}`
  await clinic.ingest.send('/calls/notes', { id: call.id, note: text })
  clinic.sentTo(PATH).keep(call.id, { ...call, note: text })
  clinic.expect('call.updated')
  return true
}

export const callActions: readonly Action[] = [
  { name: 'the telephone rings', weight: 4, run: ring },
  { name: 'staff note something on a call', weight: 1, run: note },
]
