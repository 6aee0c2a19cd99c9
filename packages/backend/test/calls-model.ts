// A model of an exchange's reports about a few calls, without a database: one report after the other, by the rules alone.

export type Report = { id: string } & Record<string, unknown>

export interface Request {
  path: '/calls' | '/calls/notes' | '/calls/recordings' | '/calls/transcripts'
  /** No call twice. */
  records: readonly Report[]
}

export interface ModelCall {
  status: string
  duration_seconds: number
  ring_seconds: number
  is_recorded: boolean
  note: string | null
  recording: { file_id: string; duration_seconds: number | null } | null
  /** The whole outcome as JSON. */
  transcript: string | null
}

export interface ModelEvent {
  id: string
  type: string
  call: ModelCall
}

export type ReportOutcome = 'created' | 'updated' | 'unchanged'

export type Answer = { stored: ReportOutcome[] } | { faults: string[] }

export interface Model {
  calls: ReadonlyMap<string, ModelCall>
  transcribes: boolean
}

interface Verdict {
  call: ModelCall
  type: string | null
}

/** The answer to a request, its effect on the calls, and its events, in the order of the calls' ids. */
export function applied(
  model: Model,
  { path, records }: Request,
): { answer: Answer; model: Model; events: ModelEvent[] } {
  const verdicts = records.map((report) => RULES[path](report, model.calls.get(report.id), model))
  const faults = verdicts.flatMap((verdict, i) => (typeof verdict === 'string' ? [`${i} ${verdict}`] : []))
  if (faults.length > 0) return { answer: { faults }, model, events: [] }
  const calls = new Map(model.calls)
  const events: ModelEvent[] = []
  const stored = records.map(({ id }, i): ReportOutcome => {
    const before = model.calls.get(id)
    const { call, type } = verdicts[i] as Verdict
    if (same(before, call)) return 'unchanged'
    calls.set(id, call)
    if (type !== null) events.push({ id, type, call })
    return before === undefined ? 'created' : 'updated'
  })
  return { answer: { stored }, model: { ...model, calls }, events: events.sort((a, b) => (a.id < b.id ? -1 : 1)) }
}

/** The call after a report, and the event if the report changes the call. Or the code of the fault. */
type Rule = (report: Report, call: ModelCall | undefined, model: Model) => Verdict | string

const RULES: Record<Request['path'], Rule> = {
  '/calls': (report, call) => {
    const { status, duration_seconds, ring_seconds, is_recorded, note } = report as unknown as ModelCall
    if (call === undefined) {
      const first = { status, duration_seconds, ring_seconds, is_recorded, note: note ?? null }
      return { call: { ...first, recording: null, transcript: null }, type: 'call.completed' }
    }
    if (call.transcript !== null && !(status === 'answered' && duration_seconds > 0)) return 'transcribed'
    const corrected = {
      ...call,
      status,
      duration_seconds,
      ring_seconds,
      is_recorded: is_recorded || call.recording !== null,
      note: 'note' in report ? note : call.note,
    }
    return { call: corrected, type: corrected.note === call.note ? null : 'call.updated' }
  },

  '/calls/notes': ({ note }, call) =>
    call === undefined ? 'unknown_id' : { call: { ...call, note: note as string | null }, type: 'call.updated' },

  '/calls/recordings': (report, call) => {
    if (call === undefined) return 'unknown_id'
    const recording = {
      file_id: String(report.file_id),
      duration_seconds: (report.duration_seconds ?? null) as number | null,
    }
    if (same(call.recording, recording)) return { call, type: null }
    if (call.recording !== null) return 'exists'
    if (!call.is_recorded) return 'not_recorded'
    if (call.transcript !== null) return 'transcribed'
    if (recording.file_id === 'pdf') return 'not_audio'
    return { call: { ...call, recording }, type: 'call.recording.available' }
  },

  '/calls/transcripts': (report, call, { transcribes }) => {
    if (call === undefined) return 'unknown_id'
    const { id: _, ...outcome } = report
    const transcript = JSON.stringify(outcome)
    if (call.transcript === transcript) return { call, type: null }
    if (call.transcript !== null) return 'exists'
    if (call.status !== 'answered' || call.duration_seconds === 0) return 'no_talk'
    if (!transcribes) return 'no_transcription'
    if (call.is_recorded && call.recording === null) return 'recording_first'
    return { call: { ...call, transcript }, type: `call.transcript.${report.status}` }
  },
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
