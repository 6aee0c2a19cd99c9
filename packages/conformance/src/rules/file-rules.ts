// Files: a link opens its file, whole or in part, as long as the key that asked for it is valid.
import type { StoredFile } from '@clinic-data/contract'
import { portPaths } from '@clinic-data/contract/port'
import { type FileOutcome, fileOutcomeOf, type OpenFile } from '../outcome.ts'
import type { Rule, Side, Trial } from '../rule.ts'

interface Range {
  first: number | null
  last: number | null
}

const OPERATION = 'files'
/** How many files are read. Larger ones are skipped. */
const MOST_FILES = 3
const MOST_BYTES = 8 * 1024 * 1024

/** The files that a clinic's links lead to, each once, small ones first. */
async function storedFiles(trial: Trial, { clinic, subjects }: Side): Promise<StoredFile[]> {
  const files = new Map<string, StoredFile>()
  for (const operation of trial.reads('link')) {
    for (const question of await subjects.of(operation)) {
      const outcome = await clinic.known(operation, question)
      if (outcome.kind !== 'answered') continue
      const file = outcome.data as StoredFile
      if (file.size_bytes > 0 && file.size_bytes <= MOST_BYTES) files.set(file.file_id, file)
    }
  }
  return [...files.values()].sort((a, b) => a.size_bytes - b.size_bytes)
}

async function ownFiles(trial: Trial): Promise<StoredFile[]> {
  const files = await storedFiles(trial, { clinic: trial.clinic, subjects: trial.subjects })
  if (files.length === 0) trial.untried.add(`no recording or media of at most ${MOST_BYTES} bytes`)
  return files.slice(0, MOST_FILES)
}

async function open(
  trial: Trial,
  file_id: string,
  range: Range | null,
  { principal } = trial.clinic,
  key_id = principal.key_id,
): Promise<FileOutcome> {
  const file = { clinic_id: principal.clinic.clinic_id, key_id, file_id }
  return fileOutcomeOf(await trial.port.call(portPaths.files, { body: { file, range }, mostBytes: 2 * MOST_BYTES }))
}

function inWords(outcome: FileOutcome): string {
  if (outcome.state === 'unusable') return outcome.why
  return outcome.state === 'open'
    ? `${outcome.bytes.length} bytes from ${outcome.first} to ${outcome.last}`
    : `the state ${outcome.state}`
}

const whole: Rule = {
  name: 'files.whole',
  protects: 'A recording plays to its end, and has its own name and type.',
  needs: ['clinic'],
  async check(trial) {
    for (const { file_id, content_type, file_name, size_bytes } of await ownFiles(trial)) {
      const outcome = await open(trial, file_id, null)
      const opened = outcome.state === 'open' ? outcome : null
      const isRight =
        opened !== null &&
        opened.bytes.length === size_bytes &&
        opened.size_bytes === size_bytes &&
        opened.content_type === content_type &&
        opened.file_name === file_name &&
        // Earlier versions of the port did not ask for it.
        opened.patient_ids !== undefined
      trial
        .saw(
          OPERATION,
          `the file ${file_id}, whole`,
          opened ? `${inWords(outcome)}, content-type ${opened.content_type}` : inWords(outcome),
        )
        .expect(
          `200 with ${size_bytes} bytes, content-type and x-file-name (percent-encoded) as in the answer of its link operation, and x-patient-ids`,
          isRight,
        )
    }
  },
}

const ranges: Rule = {
  name: 'files.ranges',
  protects: 'A player that jumps to the middle, or asks for the end first, gets exactly those bytes.',
  needs: ['clinic'],
  async check(trial) {
    for (const { file_id, size_bytes: size } of await ownFiles(trial)) {
      const all = await open(trial, file_id, null)
      if (all.state !== 'open') continue
      const middle = Math.floor(size / 2)
      const parts: [Range, first: number, last: number][] = [
        [{ first: 0, last: 0 }, 0, 0],
        [{ first: middle, last: Math.min(middle + 9, size - 1) }, middle, Math.min(middle + 9, size - 1)],
        [{ first: middle, last: null }, middle, size - 1],
        [{ first: middle, last: size + 999 }, middle, size - 1],
        [{ first: null, last: 1 }, size - 1, size - 1],
        [{ first: null, last: size + 999 }, 0, size - 1],
      ]
      for (const [range, first, last] of parts) {
        const outcome = await open(trial, file_id, range)
        const isRight = outcome.state === 'open' && isPart(outcome, all, first, last)
        trial
          .saw(
            OPERATION,
            `the file ${file_id}, ${JSON.stringify(range)}`,
            outcome.state === 'open' && outcome.first === first && outcome.last === last
              ? 'other bytes'
              : inWords(outcome),
          )
          .expect(`206 with the bytes ${first} to ${last} of ${size} (200 if these are all)`, isRight)
      }
      const beyond = await open(trial, file_id, { first: size, last: null })
      trial
        .saw(OPERATION, `the file ${file_id}, from the byte ${size} on, which it does not have`, inWords(beyond))
        .expect(
          `416 {"state":"unsatisfiable","size_bytes":${size}}`,
          beyond.state === 'unsatisfiable' && beyond.size_bytes === size,
        )
    }
  },
}

function isPart(part: OpenFile, all: OpenFile, first: number, last: number): boolean {
  const isRange = part.first === first && part.last === last && part.size_bytes === all.size_bytes
  return isRange && part.bytes.equals(all.bytes.subarray(first, last + 1))
}

const missing: Rule = {
  name: 'files.missing',
  protects: 'A file that does not exist is reported as missing, whatever its id looks like.',
  needs: ['clinic'],
  async check(trial) {
    for (const file_id of ['no-such-file-7f3a', '../../etc/passwd', "' or '1'='1", '%']) {
      const outcome = await open(trial, file_id, null)
      trial
        .saw(OPERATION, `the file ${file_id}`, inWords(outcome))
        .expect('404 {"state":"missing"}', outcome.state === 'missing')
    }
  },
}

const revoked: Rule = {
  name: 'files.revoked',
  protects: 'A link becomes invalid with the key that asked for it: a revoked key opens no recordings.',
  needs: ['clinic'],
  async check(trial) {
    const [file] = await ownFiles(trial)
    if (!file) return
    const outcome = await open(trial, file.file_id, null, trial.clinic, 'no-such-key-7f3a')
    trial
      .saw(OPERATION, `the file ${file.file_id}, with a link from a key that does not exist`, inWords(outcome))
      .expect('410 {"state":"revoked"}', outcome.state === 'revoked')
  },
}

const isolated: Rule = {
  name: 'isolation.files',
  protects: 'One clinic cannot open the recordings of another.',
  needs: ['clinic', 'second clinic'],
  async check(trial) {
    const ours = new Set(
      (await storedFiles(trial, { clinic: trial.clinic, subjects: trial.subjects })).map(({ file_id }) => file_id),
    )
    const foreign = (await storedFiles(trial, trial.other)).filter(({ file_id }) => !ours.has(file_id))
    if (foreign.length === 0) trial.untried.add('the second clinic has no file that the first lacks')
    for (const { file_id } of foreign.slice(0, MOST_FILES)) {
      const outcome = await open(trial, file_id, null)
      // The clinic may have another file under the same id: then its bytes differ.
      const theirs = await open(trial, file_id, null, trial.other.clinic)
      const isOwn = outcome.state === 'open' && theirs.state === 'open' && !outcome.bytes.equals(theirs.bytes)
      trial
        .saw(OPERATION, `the file ${file_id} of the second clinic`, inWords(outcome))
        .expect('404 {"state":"missing"}', outcome.state === 'missing' || isOwn)
    }
  },
}

export const fileRules: readonly Rule[] = [whole, ranges, missing, revoked, isolated]
