// The demo clinic's phone calls, spread over its days.

import { exampleIds } from '@clinic-data/contract/operation'
import { CallRecord, type TranscriptSegmentRecord } from '@clinic-data/records/calls'
import { complete } from '@clinic-data/records/storing/complete-record'
import { type ClinicPlan, drawFor, PAST_DAYS } from './clinic-plan.ts'
import { CALL_NOTES, CALL_SCRIPTS, type CallScript, WEEKDAYS } from './dialogues.ts'
import { instantText, weekdayOf } from './local-days.ts'
import { RECORDINGS } from './media.ts'
import { patient, patientPhone } from './patients.ts'
import type { Random } from './random.ts'
import { branchId, branchPhone } from './reference-data.ts'

/** On average, over the demo's time. */
const CALLS_PER_PATIENT = 1.5

const AGENTS = ['Liat', 'Rotem', 'אפרת', 'Nina'] as const

export function callCount(plan: ClinicPlan): number {
  return Math.round(plan.patients * CALLS_PER_PATIENT)
}

/** Makes the call with a number. Null when it would be later than the demo's now. */
export function callOf(plan: ClinicPlan, number: number): CallRecord | null {
  // The examples' call is stored beside them.
  if (`c${number + 1}` === exampleIds.call) return null
  const draw = drawFor(plan, 'call', number)
  const startedAt = timeOf(plan, number, draw)
  const script = draw.chance(0.7) ? draw.pick(inboundScripts) : draw.pick(outboundScripts)
  const { direction } = script
  const status = statusOf(direction, draw)
  const ring = draw.whole(2, status === 'missed' || status === 'no_answer' ? 40 : 18)
  const talk = status === 'answered' ? draw.whole(25, 420) : status === 'voicemail' ? draw.whole(8, 45) : 0
  const endedAt = startedAt + (ring + talk) * 1000
  if (endedAt >= plan.now) return null
  const who = draw.whole(0, plan.patients - 1)
  const branch = draw.whole(0, plan.branches - 1)
  const theirs = callerPhone(plan, who, draw)
  const ours = branchPhone(branch)
  const agent = draw.whole(0, AGENTS.length - 1)
  const recording = talk > 0 && draw.chance(0.8) ? draw.pick(RECORDINGS) : null
  const transcript =
    status === 'answered' && recording !== null && endedAt + TRANSCRIBED_MS < plan.now
      ? transcriptOf(plan, script, who, talk, draw)
      : null
  const note = draw.chance(0.06) ? draw.pick(CALL_NOTES) : null
  const changes = [recording ? 360_000 : 0, transcript ? TRANSCRIBED_MS : 0, note ? 7_200_000 : 0]
  return complete(CallRecord, {
    id: `c${number + 1}`,
    direction,
    status,
    from_phone: direction === 'inbound' ? theirs : ours,
    to_phone: direction === 'inbound' ? ours : theirs,
    handled_by: status === 'answered' ? { id: `agent${agent + 1}`, name: AGENTS[agent] ?? '' } : null,
    branch_id: branchId(branch),
    started_at: instantText(startedAt),
    answered_at: talk > 0 ? instantText(startedAt + ring * 1000) : null,
    ended_at: instantText(endedAt),
    duration_seconds: talk,
    ring_seconds: ring,
    is_recorded: recording !== null,
    note,
    recording_file_id: recording?.file_id ?? null,
    recording_seconds: recording?.seconds ?? null,
    ...transcript,
    created_at: instantText(endedAt + 900),
    updated_at: instantText(Math.min(endedAt + Math.max(900, ...changes), plan.now)),
  })
}

/** The time from the end of a call to its transcript. */
const TRANSCRIBED_MS = 900_000

const inboundScripts = CALL_SCRIPTS.filter(({ direction }) => direction === 'inbound')
const outboundScripts = CALL_SCRIPTS.filter(({ direction }) => direction === 'outbound')

/** Calls come in opening hours. Those of a Saturday come on the Sunday after. */
function timeOf(plan: ClinicPlan, number: number, draw: Random): number {
  const day = plan.firstDay + Math.floor((number * (PAST_DAYS + 1)) / callCount(plan))
  return plan.days.at(weekdayOf(day) === 6 ? day + 1 : day, 8 * 60) + draw.whole(0, 11 * 3600) * 1000
}

function statusOf(direction: CallRecord['direction'], draw: Random): CallRecord['status'] {
  return direction === 'inbound'
    ? draw.weighted([
        ['answered', 76],
        ['missed', 17],
        ['voicemail', 7],
      ] as const)
    : draw.weighted([
        ['answered', 70],
        ['no_answer', 25],
        ['voicemail', 5],
      ] as const)
}

/** Mostly a patient's number, sometimes a stranger's or none. */
function callerPhone(plan: ClinicPlan, who: number, draw: Random): string | null {
  const kind = draw.next()
  if (kind < 0.78) return patientPhone(plan, who)
  return kind < 0.97 ? `059-0${String(draw.whole(0, 999_999)).padStart(6, '0')}` : null
}

function transcriptOf(plan: ClinicPlan, script: CallScript, who: number, talk: number, draw: Random) {
  if (draw.chance(0.05)) return { transcript_status: 'failed' as const }
  const { language, summary, lines } = script
  const name = patient(plan, who).first_name ?? ''
  const day = draw.pick(WEEKDAYS[language])
  const filled = (text: string) => text.replaceAll('{name}', name).replaceAll('{day}', day)
  const letters = lines.reduce((sum, line) => sum + line.length, 0)
  let at = 0
  const segments = lines.map((line, i): TranscriptSegmentRecord => {
    const start = at
    at += (talk * line.length) / letters
    return {
      speaker: i % 2 === 0 ? 'agent' : 'patient',
      start_seconds: tenths(start),
      end_seconds: tenths(at - 0.3),
      text: filled(line),
    }
  })
  return {
    transcript_status: 'completed' as const,
    transcript_language: language,
    transcript_summary: filled(summary),
    transcript_segments: segments,
  }
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
