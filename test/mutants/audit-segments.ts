// Mutants of the audit log at rest: packing days into segments, reading them, and the proof of what stands beside them.
import type { Mutant } from './mutant.ts'

const PACK = 'packages/audit/test/pack-days.test.ts'
const FORM = 'packages/audit/test/segment.test.ts'
const TAMPERING = 'packages/audit/test/segment-tampering.test.ts'
const ACTIVITY = 'packages/administration/test/packed-activity.test.ts'
const DAYS = 'packages/audit/src/segments/pack-days.ts'
const PREPARE = 'packages/audit/src/segments/prepare-segments.ts'
const READ = 'packages/audit/src/segments/read-segments.ts'
const VERIFY = 'packages/audit/src/segments/verify-segments.ts'
const SAME_ROWS = 'every search finds the same rows in the same order before and after days are packed, page after page'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'segments are read only in place of rows',
    file: READ,
    from: 'exists (select from audit_packed_day packed where packed.day = audit_segment.day)',
    to: 'true',
    caught: { by: PACK, test: 'segments that are made while their day waits are not read beside the rows' },
  },
  {
    breaks: 'a day gives way when all of its rows are in segments, and not sooner',
    file: DAYS,
    from: 'if (others.length > 0) {',
    to: 'if (others.length > 1) {',
    caught: {
      by: PACK,
      test: 'segments that overlap do not keep a day waiting for ever: they are made anew',
    },
  },
  {
    breaks: 'the days that the first versions sealed stay rows',
    file: DAYS,
    from: 'rowsUntil < day &&',
    to: "day !== '' &&",
    caught: { by: PACK, test: 'a clinic that the first versions sealed keeps the days up to then as rows' },
  },
  {
    breaks: 'rows that are not those that were sealed are not packed',
    file: PREPARE,
    from: 'rowsHash(own) !== rows_hash',
    to: 'own.length !== row_count',
    caught: {
      by: PACK,
      test: 'rows that are not those that were sealed are never packed, and the other clinics’ segments are made all the same',
    },
  },
  {
    breaks: 'no segment is added to a day that has given way',
    file: PREPARE,
    from: 'if (await isPacked(tx, day)) return true\n    // Another',
    to: '// Another',
    caught: {
      by: PACK,
      test: 'a day is packed once: rows in a partition that it gets again stay there, and stand in one place',
    },
  },
  {
    breaks: 'dropping a day gives up soon where the log is in use',
    file: DAYS,
    from: "return error instanceof Error && 'code' in error && error.code === '55P03'",
    to: 'return error === null',
    caught: { by: PACK, test: 'a day gives way at a moment when nobody uses the log, and lets nobody wait for long' },
  },
  {
    breaks: 'the retention drops packed days',
    file: DAYS,
    from: "['audit_segment_names', 'audit_segment', 'audit_packed_day']",
    to: "['audit_segment_names']",
    caught: { by: PACK, test: 'the retention drops packed days whole, and none that is younger than 30 days' },
  },
  {
    breaks: 'the retention keeps 30 days of packed days whatever it says',
    file: DAYS,
    from: 'Math.max(retentionDays, FEWEST_DAYS)',
    to: 'retentionDays',
    caught: { by: PACK, test: 'the retention drops packed days whole, and none that is younger than 30 days' },
  },
  {
    breaks: 'the text of a packed row is the one that its seal hashes',
    file: 'packages/audit/src/segments/log-row.ts',
    from: ".padStart(6, '0').replace(/0+$/, '')",
    to: ".padStart(6, '0')",
    caught: { by: FORM, test: 'the text of a row is PostgreSQL’s own, whatever characters and times it has' },
  },
  {
    breaks: 'who read a lead by a contact of the patient alone is found, whatever its name',
    file: 'packages/records/src/persons/records-of.ts',
    from: 'withDoubtful || is_alone || isNameOf',
    to: 'withDoubtful || isNameOf',
    caught: {
      by: ACTIVITY,
      test: 'a search for a patient finds who read the lead, the calls and the chats from before they were the patient’s, packed or not',
    },
  },
  {
    breaks: 'who looked at a delivery of the call that a patient made before is found',
    file: 'packages/records/src/persons/records-of.ts',
    from: 'console: [...spokenIds, ...eventIds],',
    to: 'console: spokenIds,',
    caught: {
      by: ACTIVITY,
      test: 'a search for a patient finds who read the lead, the calls and the chats from before they were the patient’s, packed or not',
    },
  },
  {
    breaks: 'no name of a segment is missed by its fingerprint',
    file: 'packages/audit/src/segments/fingerprints.ts',
    from: 'for (const count of COUNTS) {',
    to: 'for (const count of COUNTS.slice(1)) {',
    caught: { by: FORM, test: 'no name of a segment is ever missed by its fingerprint, however many there are' },
  },
  {
    breaks: 'a number that ends with the bytes of another is not taken for it',
    file: 'packages/audit/src/segments/numbers.ts',
    from: 'if (!isWhole) continue',
    to: '',
    caught: {
      by: FORM,
      test: 'a number that is found in the bytes of its column is the one that is read with all, and so are its places',
    },
  },
  {
    breaks: 'a search reads on after the first segments',
    file: READ,
    from: 'if (last === undefined || segments.length < AT_ONCE) return found',
    to: 'if (last === undefined || segments.length <= AT_ONCE) return found',
    caught: { by: ACTIVITY, test: 'a search goes on through all segments, and ends where its page does' },
  },
  {
    breaks: 'the pattern of a kind takes names as they are written',
    file: 'packages/audit/src/segments/kinds.ts',
    from: '(character) => `\\\\${character}`',
    to: '(character) => character',
    caught: { by: FORM, test: 'the pattern of a kind finds exactly the segments that have such a row' },
  },
  {
    breaks: 'a search of packed days keeps to its period',
    file: 'packages/audit/src/segments/segment.ts',
    from: 'us >= since_us && us < until_us && isOfClass',
    to: 'us >= since_us && isOfClass',
    caught: { by: ACTIVITY, test: SAME_ROWS },
  },
  {
    breaks: 'packed rows of a page are those that lie between its rows of the table',
    file: 'packages/administration/src/pages/activity.ts',
    from: 'after: (end?.before ?? 1) - 1',
    to: 'after: 0',
    caught: { by: ACTIVITY, test: SAME_ROWS },
  },
  {
    breaks: 'a changed count of a segment is found',
    file: VERIFY,
    from: 'if (rows.length !== stored.row_count)',
    to: 'if (rows.length > stored.row_count)',
    caught: { by: TAMPERING, test: 'found in a packed log, at the seal of its rows: a count' },
  },
  {
    breaks: 'a segment that no seal covers is found',
    file: VERIFY,
    from: 'if (number === null)',
    to: 'if (number === 0)',
    caught: { by: TAMPERING, test: 'found in a packed log, at the seal of its rows: a segment that no seal covers' },
  },
  {
    breaks: 'changed kinds of a segment are found',
    file: VERIFY,
    from: 'if (kindsOf(rows) !== stored.kinds)',
    to: "if (stored.kinds === '')",
    caught: { by: TAMPERING, test: 'found in a packed log, at the seal of its rows: the kinds' },
  },
  {
    breaks: 'changed fingerprints of a segment are found',
    file: VERIFY,
    from: 'slots[n].fingerprints.equals(fingerprints)',
    to: 'slots[n].fingerprints.length > 0',
    caught: { by: TAMPERING, test: 'found in a packed log, at the seal of its rows: names of another segment' },
  },
  {
    breaks: 'an archive holds the packed rows of the log',
    file: 'packages/backend/src/offboarding/export-clinic.ts',
    from: "table === 'audit' ? partsOfLog",
    to: "table === 'never' ? partsOfLog",
    caught: {
      by: 'packages/backend/test/export-packed-log.test.ts',
      test: 'an archive holds the rows of packed days beside those of other days, each once and as it was stored',
    },
  },
  {
    breaks: 'an earlier version does not start on a packed log',
    file: 'packages/database/src/schema/form-of-rows.ts',
    from: '`${form}:`} || checksum',
    to: "''} || checksum",
    caught: {
      by: 'packages/backend/test/form-of-rows.test.ts',
      test: 'a mark makes earlier versions refuse, stands once, and stops none that knows the form',
    },
  },
  {
    breaks: 'a form of rows of a later version is refused',
    file: 'packages/database/src/schema/form-of-rows.ts',
    from: 'forms.find((form) => !KNOWN.includes(form))',
    to: 'forms.find((form) => form === checksum)',
    caught: {
      by: 'packages/backend/test/form-of-rows.test.ts',
      test: 'a form of a later version is refused by name before anything is changed',
    },
  },
  {
    breaks: 'a round of packing in a thread ends soon when its process stops',
    file: 'packages/audit/src/segments/packing-thread.ts',
    from: "stopping?.addEventListener('abort', stop)",
    to: "stopping?.addEventListener('end', stop)",
    caught: {
      by: 'packages/audit/test/packing-thread.test.ts',
      test: 'a round that is stopped leaves the rest to the next one',
    },
  },
]
