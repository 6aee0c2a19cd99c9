// `clinicd audit verify --file`: verifies an exported audit log from its file alone.
import { createReadStream, statSync } from 'node:fs'
import type { FileVerdict, OnMatch, SoundFile } from '@clinic-data/audit/export/check'
import { verifyFile } from '@clinic-data/audit/export/verify-file'
import { safeText } from '@clinic-data/contract/safe-text'
import { STREAM } from '../../destination.ts'
import { printJson, printLine, printRows } from '../../output.ts'
import { UsageError } from '../../usage-error.ts'

interface Verifying {
  expected: string | null
  /** Whether the rows are printed that a selection was made for. */
  withRows: boolean
  json: boolean | undefined
}

/** @param file - is standard input. */
export async function verifyExport(file: string, { expected, withRows, json }: Verifying): Promise<void> {
  if (file !== STREAM && statSync(file, { throwIfNoEntry: false })?.isDirectory() !== false)
    throw new UsageError(`there is no file ${file}`)
  const rows: Record<string, unknown>[] = []
  const keep: OnMatch = (row, seal) => void rows.push({ ...row, seal })
  const content = file === STREAM ? process.stdin : createReadStream(file)
  const verdict = await verifyFile(content, expected, withRows ? keep : undefined)
  if (withRows && verdict.sound && verdict.selected === null)
    throw new UsageError("--rows is for a file that the console's page Activity has exported")
  if (json) printJson(withRows && verdict.sound ? { ...verdict, rows_of_selection: rows } : verdict)
  else if (verdict.sound)
    for (const line of [soundIn(verdict), ...selectedIn(verdict), ...linesOf(verdict), ...provenIn(verdict)])
      printLine(line)
  else printLine(faultIn(verdict))
  // No row is worth anything in a file that is not sound.
  if (withRows && verdict.sound && !json) printRows(rows, ROW_COLUMNS, false)
  if (!verdict.sound) process.exitCode = 1
}

const ROW_COLUMNS = [
  ...['id', 'seal', 'at', 'key_id', 'operation', 'surface', 'status', 'problem'],
  ...['count', 'resource_ids', 'patient_ids', 'address'],
]

export function faultIn({ line, seal, reason }: Extract<FileVerdict, { sound: false }>): string {
  return `Not sound: line ${line}${seal === null ? '' : `, seal ${seal}`}: ${reason}.`
}

function soundIn({ clinic_id, made_at, is_continuous }: SoundFile): string {
  return `Sound: the audit log of the clinic ${clinic_id}, exported ${is_continuous ? 'from' : 'at'} ${made_at}${is_continuous ? ' on' : ''}.`
}

/** Says the search, how much of the file it is, and which of its questions the file cannot answer. */
function selectedIn({ selected, outside }: SoundFile): string[] {
  if (selected === null) return []
  const { matching, seals } = selected
  const left =
    outside === 0
      ? 'From the first of these rows to the head no seal is left out.'
      : `Seals without their rows: ${outside}. That none of those rows matches, the file does not prove. clinicd audit export of the whole ` +
        'period does.'
  return [
    `Searched for: ${filterIn(selected)}.`,
    `Rows that match it: ${matching}. Seals that hold them, with all their other rows: ${seals}.`,
    left,
  ]
}

function filterIn({ filter, period }: NonNullable<SoundFile['selected']>): string {
  const { key_ids, integration, outside_console, records = {}, ...others } = filter
  const chosen = [
    ...Object.entries({ ...others, ...period }).filter(([, value]) => value !== null),
    ...(integration === null ? [] : [['integration', integration]]),
    ...(key_ids === null ? [] : [['key_ids', key_ids.join(', ') || 'none']]),
    ...Object.entries(records).map(([word, ids]) => [`or in ${word}`, ids.join(', ')]),
    ...(outside_console ? [['surface', 'all but the console']] : []),
  ]
  return safeText(chosen.length === 0 ? 'everything' : chosen.map(([name, value]) => `${name} ${value}`).join('; '))
}

/** Says which seals and rows the file holds. */
export function linesOf(file: SoundFile): string[] {
  const { rows, there, dropped, outside, unsealed_rows, before, head, repeated, selected } = file
  const holds =
    there === null
      ? 'No sealed rows.'
      : `${selected === null ? 'Seals' : 'Of the seals'} ${there.first} to ${there.last}${selected === null ? ' over' : ':'} ${rows} rows, from ${there.since} to ${there.until} (UTC).`
  return [
    holds,
    ...(repeated.seals === 0
      ? []
      : [
          `Seals that are there again, the same: ${repeated.seals}, over rows: ${repeated.rows}. The export was interrupted.`,
        ]),
    ...(dropped === null ? [] : [droppedIn(dropped)]),
    ...(outside === 0 || selected !== null
      ? []
      : [`Seals after the period that lead to the head, without their rows: ${outside}.`]),
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
    ? `Rows without their seal: ${unsealed_rows}. Nothing proves them.`
    : `Rows that had no seal yet: ${unsealed_rows}. Nothing proves them.`
}

/** A file alone proves only that it fits together: who makes all of it anew can make its hashes too. */
function provenIn({ proven_to, head }: SoundFile): string[] {
  if (head === null) return ['Nothing proves a row before it has a seal: that takes two to three minutes.']
  if (proven_to === null)
    return [
      'Checked: each row, each seal and the way from seal to seal fit together. Not checked: whose file it is. Its head was made with the secret ' +
        'keys of the service, and without them nobody can check it.',
      'A head that was kept elsewhere proves that nobody made the file anew: give it to --expect. On the machine of the service clinicd audit ' +
        'verify --clinic prints the present one.',
    ]
  const isAll = head.startsWith(`${proven_to}.`)
  return [
    `The expected head is in the chain. It proves the rows up to seal ${proven_to}${isAll ? '' : ', and none after it'}.`,
  ]
}
