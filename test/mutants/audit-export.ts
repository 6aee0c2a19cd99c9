// Mutants of the export of the audit log, and of the verification of its file.
import type { Mutant } from './mutant.ts'

const TAMPERING = 'packages/audit/test/audit-export-tampering.test.ts'
const EXPORT = 'packages/audit/test/audit-export.test.ts'
const COMMAND = 'packages/operator/test/audit-export.test.ts'
const CHECK = 'packages/audit/src/export/check.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the fields of a row in an exported log say what its canonical text says',
    file: CHECK,
    from: 'if (format.lineOf(entry, this.#first) !== line)',
    to: 'if (format.lineOf(entry, this.#first) === null)',
    caught: { by: TAMPERING, test: 'found in a file whose last line was made anew: a field by name' },
  },
  {
    breaks: 'a row of an exported log cannot be changed together with its canonical text',
    file: CHECK,
    from: "if (hash.digest('hex') !== seal.rows_hash || last_id",
    to: 'if (last_id',
    caught: { by: TAMPERING, test: 'found in a file whose last line was made anew: a row' },
  },
  {
    breaks: 'a seal of an exported log covers the clinic',
    file: CHECK,
    from: 'if (sealHash(clinic_id, this.#before.hash, seal) !== seal.hash)',
    to: 'if (sealHash(clinic_id, this.#before.hash, seal) === clinic_id)',
    caught: { by: TAMPERING, test: 'found in a file whose last line was made anew: the clinic' },
  },
  {
    breaks: 'an exported log without its last seals is not whole',
    file: CHECK,
    from: 'if ((entry.head?.number ?? 0) !== number)',
    to: 'if ((entry.head?.number ?? 0) < number)',
    caught: {
      by: TAMPERING,
      test: 'found in a file whose last line was made anew: the last seal removed with its rows',
    },
  },
  {
    breaks: 'an exported log that was cut off before its last line is not sound',
    file: CHECK,
    from: 'const isCut = this.#fault === null && this.#last === null',
    to: 'const isCut = this.#fault === null && this.#lines === 0',
    caught: {
      by: TAMPERING,
      test: 'a file is not sound without any of its lines, with one twice, with two exchanged, or cut off anywhere: ndjson',
    },
  },
  {
    breaks: 'the sum of an exported log covers its rows without a seal',
    file: CHECK,
    from: 'return sum === entry.sha256 ? null :',
    to: "return sum !== '' ? null :",
    caught: {
      by: TAMPERING,
      test: 'found in a file whose last line was made anew: a row without a seal, by somebody who does not make the sum anew',
    },
  },
  {
    breaks: 'rows in the middle of an exported log cannot be said to be dropped',
    file: CHECK,
    from: 'if (found.there !== null && seal.day >= found.there.since)',
    to: 'if (found.there !== null && seal.day < found.there.since)',
    caught: {
      by: TAMPERING,
      test: 'rows that are left out as dropped or outside of the period are found in the middle, and told at the ends',
    },
  },
  {
    breaks: 'an exported log that was made anew is found by an expected head',
    file: CHECK,
    from: 'if (this.#expected === null || this.#provenTo !== null) return null',
    to: 'if (this.#expected === null || this.#last !== null) return null',
    caught: {
      by: TAMPERING,
      test: 'a file that was made anew as a whole is found by a head that was kept elsewhere, and by it alone',
    },
  },
  {
    breaks: 'a line of a file is not read further than a line may be long',
    file: 'packages/audit/src/export/lines.ts',
    from: 'if (bytes > mostBytes) throw',
    to: 'if (bytes > mostBytes * 1000) throw',
    caught: { by: TAMPERING, test: 'a line that never ends is not read further than a line may be long' },
  },
  {
    breaks: 'the proof in a CSV is taken apart nowhere, and comes back as it was',
    file: 'packages/audit/src/export/csv.ts',
    from: "return safeJson(json).replaceAll(';', '\\\\u003b')",
    to: 'return safeJson(json)',
    caught: {
      by: EXPORT,
      test: 'no part of a CSV is a formula, also where ; takes lines apart, and its proofs stand in the last column',
    },
  },
  {
    breaks: 'an export leaves out no row of its period',
    file: 'packages/audit/src/export/seals-of.ts',
    from: 'storedMs < Date.parse(until)',
    to: 'storedMs + 1 < Date.parse(until)',
    caught: {
      by: EXPORT,
      test: 'a period is widened to whole seals, begins behind an earlier seal, and still leads to the head',
    },
  },
  {
    breaks: 'an export is given out in pieces',
    file: 'packages/audit/src/export/export-log.ts',
    from: 'if (this.#text.length < CHUNK_BYTES) continue',
    to: 'if (this.#text.length >= 0) continue',
    caught: {
      by: EXPORT,
      test: 'an export is given out in pieces that do not grow with the log, and nothing before its own row is stored',
    },
  },
  {
    breaks: 'an export has its row, or gives nothing out',
    file: 'packages/operator/src/commands/audit/audit-export.ts',
    from: 'async (tx) => beside(tx, exported)),',
    to: 'async () => void [beside, exported]),',
    caught: { by: COMMAND, test: 'without its row nothing is exported' },
  },
]
