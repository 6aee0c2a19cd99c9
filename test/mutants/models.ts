// Mutants of what long runs try a thousand times, by models, simulations and lies: tests of every day notice them too.
import type { Mutant } from './mutant.ts'

const BACKEND = 'packages/backend'

const plainLoops = {
  by: 'packages/analytics/test/model.test.ts',
  test: 'every answer equals the result of plain loops over the rows',
}

const semantics = (test: string) => ({ by: 'packages/analytics/test/semantics.test.ts', test })

const callsModel = {
  by: `${BACKEND}/test/ingest-calls-model.test.ts`,
  test: 'reports in any order, repeated, in batches or at once, act by the rules, and each event comes once and in order',
}

const stateTable = {
  by: `${BACKEND}/test/chat-receipts-model.test.ts`,
  test: 'one report after the other: the message has the state of the state table, and each step is one event',
}

const receipts = {
  by: `${BACKEND}/test/ingest-chat.test.ts`,
  test: 'of several reports of one step the first counts, also within one batch',
}

const jsonText = (test: string) => ({ by: 'packages/contract/test/json-text.test.ts', test })

const lies = {
  by: `${BACKEND}/test/ingest-rules.test.ts`,
  test: 'a body must be JSON in UTF-8, of its media type, within its size and its depth',
}

const simulated = {
  by: 'packages/demo/test/simulate.test.ts',
  test: 'every record is stored as it was sent, each change is one event, and every type of event is fired',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an average is over the records that have a value',
    file: 'packages/analytics/src/measure-sql.ts',
    from: 'aggregate(sql`count(${value})`, of)',
    to: 'aggregate(sql`count(*)`, of)',
    caught: plainLoops,
  },
  {
    breaks: 'an average of a group is the quotient of its sums',
    file: 'packages/analytics/src/measure-sql.ts',
    from: 'parts: [aggregate(sql`sum(${value})`, of), aggregate(sql`count(${value})`, of)],',
    to: 'parts: [aggregate(sql`max(${value})`, of), aggregate(sql`count(${value})`, of)],',
    caught: {
      by: 'packages/analytics/test/counting.test.ts',
      test: 'sums are of whole hundredths and divided once, and averages agree with their sums in rows and totals',
    },
  },
  {
    breaks: 'a week of analytics begins on the clinic’s day',
    file: 'packages/analytics/src/dimension-sql.ts',
    from: 'weeks[weekStart](date)',
    to: 'weeks[0](date)',
    caught: semantics('a week begins on the clinic’s day, even across the end of a year'),
  },
  {
    breaks: 'weekdays of analytics count from Sunday, which is 0',
    file: 'packages/analytics/src/dimension-sql.ts',
    from: 'extract(dow from',
    to: 'extract(isodow from',
    caught: semantics('the day of the week is 0 on Sunday, and 6 on Saturday'),
  },
  {
    breaks: 'hours of analytics are those of the clinic’s time zone',
    file: 'packages/analytics/src/dimension-sql.ts',
    from: 'extract(hour from ${instant})::integer',
    to: "extract(hour from ${instant} at time zone 'UTC')::integer",
    caught: plainLoops,
  },
  {
    breaks: 'a report of a call without a note leaves the staff’s note',
    file: 'packages/changes/src/calls.ts',
    from: 'const { note = before?.note ?? null } = report',
    to: 'const { note = null } = report',
    caught: callsModel,
  },
  {
    breaks: 'a call with a recording was recorded, whatever a later report says',
    file: 'packages/changes/src/calls.ts',
    from: 'report.is_recorded || (before?.recording_file_id ?? null) !== null',
    to: 'report.is_recorded',
    caught: callsModel,
  },
  {
    breaks: 'a correction takes no talk from a call that has a transcript',
    file: 'packages/changes/src/calls.ts',
    from: "if (!hasTranscript || (status === 'answered' && duration_seconds > 0)) return []",
    to: "if (!hasTranscript || status === 'answered') return []",
    caught: callsModel,
  },
  {
    breaks: 'a recording does not come after the transcript of its call',
    file: 'packages/changes/src/call-recordings.ts',
    from: 'return transcript_status === null ? null : TOO_LATE',
    to: 'return null',
    caught: {
      by: `${BACKEND}/test/ingest-calls.test.ts`,
      test: 'the recording’s event never comes after the transcript’s',
    },
  },
  {
    breaks: 'a recorded call is not transcribed before its recording has come',
    file: 'packages/changes/src/call-transcripts.ts',
    from: 'if (!call.is_recorded || call.recording_file_id !== null) return null',
    to: 'if (!call.is_recorded || isOn) return null',
    caught: callsModel,
  },
  {
    breaks: 'a note that is sent again is no event',
    file: 'packages/changes/src/call-notes.ts',
    from: "(note === call.note ? 'repeats' : 'changes')",
    to: "(note === call.note && note === null ? 'repeats' : 'changes')",
    caught: callsModel,
  },
  {
    breaks: 'a message that was read was delivered',
    file: 'packages/changes/src/chat-receipts.ts',
    from: "const isFilled = status === 'read' && this.#reach('delivered', at)",
    to: 'const isFilled = false',
    caught: stateTable,
  },
  {
    breaks: 'the first reason of a failed message stays',
    file: 'packages/changes/src/chat-receipts.ts',
    from: 'reason !== null && (this.stored.failure_reason ?? this.reason) === null',
    to: 'reason !== null',
    caught: receipts,
  },
  {
    breaks: 'the first time of a step stays, also within one list of reports',
    file: 'packages/changes/src/chat-receipts.ts',
    from: 'if (this.at(step) !== null) return false',
    to: 'if (this.stored[`${step}_at`] !== null) return false',
    caught: receipts,
  },
  {
    breaks: 'a body of the clinic’s systems nests no deeper than is allowed',
    file: 'packages/contract/src/input/json-text.ts',
    from: "if (size.depth > depth) throw refusal('depth'",
    to: "if (size.depth > depth + 10) throw refusal('depth'",
    caught: jsonText('nesting is limited without recursion'),
  },
  {
    breaks: 'a body of the clinic’s systems is UTF-8',
    file: 'packages/contract/src/input/json-text.ts',
    from: 'if (!isUtf8(bytes)) throw refusal',
    to: 'if (bytes.length === 0 && !isUtf8(bytes)) throw refusal',
    caught: jsonText('a text that is not UTF-8 or not JSON is refused as a whole'),
  },
  {
    breaks: 'no record holds a lone surrogate or a NUL',
    file: 'packages/contract/src/input/json-text.ts',
    from: "return text.includes('\\\\u') || text.includes('__proto__')",
    to: "return text.includes('__proto__')",
    caught: lies,
  },
  {
    breaks: 'a record that is sent again as it was is unchanged',
    file: 'packages/changes/src/call-transcripts.ts',
    from: 'segmentsText(report.segments) === segmentsText(segments)',
    to: 'report.segments === segments',
    caught: simulated,
  },
  {
    breaks: 'an endpoint that is back waits a minute at most for its backlog',
    file: 'packages/webhooks/src/subscriptions/circuit.ts',
    from: '30 * SECOND, MINUTE] as const',
    to: '30 * SECOND, 5 * MINUTE] as const',
    caught: {
      by: 'packages/webhooks/test/urgent.test.ts',
      test: 'after an outage of 120 s the backlog is delivered within 61 s',
    },
  },
  {
    breaks: 'the published sc has the commands of its source',
    file: 'packages/cli/scripts/bundle.ts',
    from: 'JSON.stringify(projectedCommands())',
    to: 'JSON.stringify(projectedCommands().toReversed())',
    caught: { by: 'test/sc-process.test.ts', test: 'the published bundle has the commands of the source' },
  },
]
