// Mutants of the export of the audit log, and of the verification of its file.
import type { Mutant } from './mutant.ts'

const TAMPERING = 'packages/audit/test/audit-export-tampering.test.ts'
const EXPORT = 'packages/audit/test/audit-export.test.ts'
const COMMAND = 'packages/operator/test/audit-export.test.ts'
const CHECK = 'packages/audit/src/export/check.ts'
const CHAIN = 'packages/audit/src/export/chain-check.ts'
const FOLLOW = 'packages/audit/test/follow-log.test.ts'
const FOLLOWED = 'packages/audit/test/follow-tampering.test.ts'
const PLACES = 'packages/audit/src/follow/places.ts'
const STRETCH = 'packages/audit/src/follow/stretch.ts'
const ROUND = 'packages/audit/src/follow/follow-log.ts'
const TO = 'packages/installation/src/audit-export'
const AT = 'packages/installation/test/audit-export'

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
    file: CHAIN,
    from: "if (hash.digest('hex') !== seal.rows_hash || last_id",
    to: 'if (last_id',
    caught: { by: TAMPERING, test: 'found in a file whose last line was made anew: a row' },
  },
  {
    breaks: 'a seal of an exported log covers the clinic',
    file: CHAIN,
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
    from: 'const isCut = this.#fault === null && this.#last === null &&',
    to: 'const isCut = this.#fault === null && this.#lines === 0 &&',
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
    file: CHAIN,
    from: "if (thereSince !== '' && seal.day >= thereSince)",
    to: "if (thereSince !== '' && seal.day < thereSince)",
    caught: {
      by: TAMPERING,
      test: 'rows that are left out as dropped or outside of the period are found in the middle, and told at the ends',
    },
  },
  {
    breaks: 'an exported log that was made anew is found by an expected head',
    file: CHECK,
    from: 'if (this.#expected === null || this.#chain.provenTo !== null) return null',
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
    file: 'packages/audit/src/export/period.ts',
    from: 'storedMs < Date.parse(until)',
    to: 'storedMs + 1 < Date.parse(until)',
    caught: {
      by: EXPORT,
      test: 'a period is widened to whole seals, begins behind an earlier seal, and still leads to the head',
    },
  },
  {
    breaks: 'an export is given out in pieces',
    file: 'packages/audit/src/export/file-writer.ts',
    from: 'if (this.#text.length >= CHUNK_BYTES) yield',
    to: 'if (this.#text.length < 0) yield',
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
  {
    breaks: 'a place moves when the destination has acknowledged, and not sooner',
    file: ROUND,
    from: 'await destination.send(clinic_id, stretch.batches(), AbortSignal.any([stopping, late])).catch((error) => {\n          if (!late.aborted) throw error\n',
    to: 'await destination.send(clinic_id, stretch.batches(), AbortSignal.any([stopping, late])).catch(() => {\n          if (!late.aborted) return\n',
    caught: {
      by: FOLLOW,
      test: 'what is interrupted anywhere comes again from the last acknowledged seal, in order, and the file says so and verifies',
    },
  },
  {
    breaks: 'two that export at once do not send the same lines',
    file: PLACES,
    from: ' for update skip locked',
    to: '',
    caught: {
      by: FOLLOW,
      test: 'two that export at once do not send the same lines: one has the clinic, the other passes it by',
    },
  },
  {
    breaks: 'a log that was begun after the export is exported from its first row',
    file: PLACES,
    from: 'and sealed_at < ${startedAt})',
    to: 'and sealed_at is distinct from ${startedAt})',
    caught: {
      by: FOLLOW,
      test: 'a log that was begun after the export was started is exported from its first row, also the first one',
    },
  },
  {
    breaks: 'a clinic that comes later is exported from its first row',
    file: PLACES,
    from: 'placed.size === 0 ? await endOf(tx, clinic_id, startedAt) : 0',
    to: 'await endOf(tx, clinic_id, startedAt)',
    caught: {
      by: FOLLOW,
      test: 'a setting that is new exports what is sealed from then on, and of a clinic that is new everything',
    },
  },
  {
    breaks: 'a stretch of a long log is bounded',
    file: STRETCH,
    from: 'if (rows >= MOST_ROWS) break',
    to: 'if (rows < 0) break',
    caught: { by: FOLLOW, test: 'a long log goes in bounded stretches and batches, one stretch a round' },
  },
  {
    breaks: 'a seal that is missing is not passed by',
    file: STRETCH,
    from: 'if (seal.number !== last + 1) throw missing(clinic_id, last + 1)',
    to: 'if (seal.number <= last) throw missing(clinic_id, last + 1)',
    caught: { by: FOLLOW, test: 'a seal that is missing stops the export of its clinic, and that is told each round' },
  },
  {
    breaks: 'a clinic whose lines are not taken does not come first for ever',
    file: ROUND,
    from: 'this.#failedLast = clinic_id',
    to: "this.#failedLast = ''",
    caught: {
      by: FOLLOW,
      test: 'a clinic whose lines are refused keeps no other from being exported, and one that cannot be reached is asked once',
    },
  },
  {
    breaks: 'seals that come again are those that were there',
    file: CHAIN,
    from: 'if (seen.hash !== before.hash || seen.last_id !== before.last_id)',
    to: 'if (seen.last_id < 0)',
    caught: {
      by: FOLLOWED,
      test: 'a stretch that is missing, of another clinic, of another chain or from before the file is found',
    },
  },
  {
    breaks: 'rows that were cut off before their seal are those that come again',
    file: CHAIN,
    from: 'cut.rows === rows && hash.copy()',
    to: 'cut.rows < 0 && hash.copy()',
    caught: { by: FOLLOWED, test: 'rows that were cut off and are others than those that came again are found' },
  },
  {
    breaks: 'a stretch that is missing in a continuous export is found',
    file: CHAIN,
    from: 'if (before.number > this.#end.number)',
    to: 'if (before.number > this.#end.number + 100)',
    caught: {
      by: FOLLOWED,
      test: 'a stretch that is missing, of another clinic, of another chain or from before the file is found',
    },
  },
  {
    breaks: 'a half line that a killed process left is cut off',
    file: `${TO}/file-destination.ts`,
    from: 'if (begin < size) await file.truncate(begin)',
    to: 'if (begin > size) await file.truncate(begin)',
    caught: {
      by: `${AT}-file.test.ts`,
      test: 'a half line that a killed process left is cut off, also a long one and an only one, and the rest of the file stays',
    },
  },
  {
    breaks: 'the log is handed to nobody by a redirect',
    file: `${TO}/http-destination.ts`,
    from: "redirect: 'manual'",
    to: "redirect: 'follow'",
    caught: {
      by: `${AT}-http.test.ts`,
      test: 'a collector that redirects gets the lines again, in order, and what it got verifies',
    },
  },
  {
    breaks: 'a syslog receiver that does not close its side has acknowledged nothing',
    file: `${TO}/syslog-destination.ts`,
    from: 'await this.#orFailure(Promise.race([closed, once(',
    to: 'void this.#orFailure(Promise.race([closed, once(',
    caught: {
      by: `${AT}-syslog.test.ts`,
      test: 'a receiver that takes everything and does not close its side has acknowledged nothing',
    },
  },
]
