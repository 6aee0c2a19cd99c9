// `clinicd audit verify --file`: verifies an exported audit log from its file alone.
import { createReadStream, statSync } from 'node:fs'
import type { FileVerdict, SoundFile } from '@clinic-data/audit/export/check'
import { verifyFile } from '@clinic-data/audit/export/verify-file'
import { STREAM } from '../../destination.ts'
import { printJson, printLine } from '../../output.ts'
import { UsageError } from '../../usage-error.ts'

/** @param file - is standard input. */
export async function verifyExport(file: string, expected: string | null, json: boolean | undefined): Promise<void> {
  if (file !== STREAM && statSync(file, { throwIfNoEntry: false })?.isDirectory() !== false)
    throw new UsageError(`there is no file ${file}`)
  const verdict = await verifyFile(file === STREAM ? process.stdin : createReadStream(file), expected)
  if (json) printJson(verdict)
  else if (verdict.sound) for (const line of [soundIn(verdict), ...linesOf(verdict), provenIn(verdict)]) printLine(line)
  else printLine(faultIn(verdict))
  if (!verdict.sound) process.exitCode = 1
}

export function faultIn({ line, seal, reason }: Extract<FileVerdict, { sound: false }>): string {
  return `Not sound: line ${line}${seal === null ? '' : `, seal ${seal}`}: ${reason}.`
}

function soundIn({ clinic_id, made_at, is_continuous }: SoundFile): string {
  return `Sound: the audit log of the clinic ${clinic_id}, exported ${is_continuous ? 'from' : 'at'} ${made_at}${is_continuous ? ' on' : ''}.`
}

/** Says which seals and rows the file holds. */
export function linesOf(file: SoundFile): string[] {
  const { rows, there, dropped, outside, unsealed_rows, before, head, repeated } = file
  const holds =
    there === null
      ? 'No sealed rows.'
      : `Seals ${there.first} to ${there.last} over ${rows} rows, from ${there.since} to ${there.until} (UTC).`
  return [
    holds,
    ...(repeated.seals === 0
      ? []
      : [`${repeated.seals} seals over ${repeated.rows} rows are there again, the same: the export was interrupted.`]),
    ...(dropped === null ? [] : [droppedIn(dropped)]),
    ...(outside === 0 ? [] : [`${outside} seals after the period lead to the head, without their rows.`]),
    ...(unsealed_rows === 0 ? [] : [unsealedIn(file)]),
    ...(before === null ? [] : [`Before the file: ${before}`]),
    head === null ? 'Nothing is sealed yet.' : `Head: ${head}`,
  ]
}

function droppedIn({ first, last, seals }: NonNullable<SoundFile['dropped']>): string {
  const which = seals === last - first + 1 ? `Seals ${first} to ${last}` : `${seals} of the seals ${first} to ${last}`
  return `${which} are there without rows: their days had been dropped.`
}

function unsealedIn({ unsealed_rows, is_continuous }: SoundFile): string {
  return is_continuous
    ? `${unsealed_rows} rows stand there without their seal: nothing proves them.`
    : `${unsealed_rows} rows had no seal yet: nothing proves them.`
}

/** A file alone proves only that it fits together: who makes all of it anew can make its hashes too. */
function provenIn({ proven_to, head }: SoundFile): string {
  if (head === null) return 'Nothing proves a row before it has a seal: that takes two to three minutes.'
  if (proven_to === null)
    return 'A head that was kept elsewhere proves that nobody made the file anew: give it to --expect.'
  const isAll = head.startsWith(`${proven_to}.`)
  return `The expected head is in the chain. It proves the rows up to seal ${proven_to}${isAll ? '' : ', and none after it'}.`
}
