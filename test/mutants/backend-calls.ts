// Mutants of the backend: calls, their recordings and transcripts.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'no correction takes the talk from a call that has a transcript',
    file: 'packages/changes/src/calls.ts',
    from: '      refuseSilenced(reports, known)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/ingest-calls.test.ts',
      test: 'no correction takes the talk from a call that has a transcript',
    },
  },
  {
    breaks: 'a recording is never replaced',
    file: 'packages/changes/src/call-recordings.ts',
    from: "if (call.recording_file_id !== null) return differenceOf(report, call) ?? 'repeats'",
    to: "if (call.recording_file_id === report.file_id) return differenceOf(report, call) ?? 'repeats'",
    caught: {
      by: 'packages/backend/test/ingest-calls.test.ts',
      test: 'a recording is a stored audio file, and is never replaced',
    },
  },
  {
    breaks: 'a call has one outcome of its transcription',
    file: 'packages/changes/src/call-transcripts.ts',
    from: '    report.summary === call.transcript_summary &&\n',
    to: '',
    caught: {
      by: 'packages/backend/test/ingest-calls.test.ts',
      test: 'a call has one outcome of its transcription, ever',
    },
  },
]
