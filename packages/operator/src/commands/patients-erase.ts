// `clinicd patients erase`: removes one patient's data, and makes anonymous what the law keeps.
import {
  type Erasure,
  erasePatient,
  isErased,
  lookAtErasure,
  MessagesWaiting,
} from '@clinic-data/backend/patient-erase/erase-patient'
import { readConfig } from '@clinic-data/installation/config'
import { Command } from 'commander'
import { listErased } from '../backup/erased-patients.ts'
import { knownBackupAt } from '../backup/last-backup.ts'
import { asAudited, asOperator, requireClinic } from '../operator.ts'
import { printJson, printLine } from '../output.ts'
import { UsageError } from '../usage-error.ts'

interface Options {
  clinic: string
  includeDoubtful?: boolean
  yes?: boolean
  json?: boolean
}

export function patientsEraseCommand(): Command {
  return new Command('erase')
    .summary("Remove one patient's data, and make anonymous what the law keeps.")
    .description(
      "Remove one patient's data, and make anonymous what the law keeps: numbers, dates and amounts stay. It is one transaction, and there is no way " +
        'back. Without --yes nothing is changed, and what would be is counted. The audit log keeps that it happened, and who had the data.',
    )
    .argument('<patient>', "the patient's id")
    .requiredOption('--clinic <id>', 'the clinic')
    .option(
      '--include-doubtful',
      "also what may be another person's, such as calls of a phone that two patients have: only when somebody has looked at it",
    )
    .option('--yes', 'erase the patient. There is no way back')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nWhat goes, what stays, and backups: docs/operate.md#a-patient-asks-to-be-erased.')
    .action(erase)
}

const UNKNOWN = "the clinic has no patient with this id; the console's page Activity finds ids by name or phone"

async function erase(patient_id: string, { clinic: id, includeDoubtful = false, yes, json }: Options): Promise<void> {
  const { dataDir } = readConfig()
  await asOperator(async (owner) => {
    const clinic = await requireClinic(owner, id, { even: 'closed' })
    const { clinic_id } = clinic
    const which = { clinic_id, patient_id }
    if (!yes) {
      const look = await lookAtErasure(owner, clinic, patient_id, includeDoubtful)
      if (look === null) throw new UsageError(UNKNOWN)
      if (tellErased(which, look, json)) return
      tellLook(look)
      throw new UsageError('nothing was changed. There is no way back: erase the patient with --yes')
    }
    const audited = asAudited(clinic_id, 'operator.patients.erase')
    const now = new Date()
    const erased_at = now.toISOString()
    const erased = await erasePatient(owner, clinic, patient_id, {
      now: () => now,
      withDoubtful: includeDoubtful,
      beside: async (tx) => {
        audited(tx, patient_id, [patient_id])
        await listErased(dataDir, { ...which, erased_at })
      },
    }).catch(refuseWaiting)
    if (erased === null) throw new UsageError(UNKNOWN)
    if (tellErased(which, erased, json)) return
    tell({ ...which, erased_at, isNew: true, erased, backup: lastBackup(dataDir) }, json)
  })
}

/** Says so where the patient was erased before and nothing has come back. */
function tellErased(
  which: Pick<Report, 'clinic_id' | 'patient_id'>,
  found: Erasure,
  json: boolean | undefined,
): boolean {
  if (found.erased_before === null || !isErased(found)) return false
  tell({ ...which, erased_at: found.erased_before, isNew: false }, json)
  return true
}

function refuseWaiting(error: unknown): never {
  if (!(error instanceof MessagesWaiting)) throw error
  throw new UsageError(`nothing was changed: ${error.message}. Erase the patient when that is over`)
}

interface Report {
  readonly clinic_id: string
  readonly patient_id: string
  readonly erased_at: string
  /** False: it had been done before, and nothing was changed. */
  readonly isNew: boolean
  readonly erased?: Erasure
  /** When the last backup was made that is known here. */
  readonly backup?: string | null
}

function lastBackup(dataDir: string): string | null {
  const at = knownBackupAt(dataDir)
  return at === null ? null : new Date(at).toISOString()
}

function tell({ isNew, erased, backup = null, ...which }: Report, json: boolean | undefined): void {
  if (json) printJson({ ...which, is_new: isNew, ...erased, last_backup_at: backup })
  else
    for (const line of linesOfReport({ isNew, backup, ...which, ...(erased !== undefined && { erased }) }))
      printLine(line)
}

function linesOfReport({ clinic_id, patient_id, erased_at, erased, backup }: Report): string[] {
  if (erased === undefined)
    return [`The patient ${patient_id} of ${clinic_id} was erased at ${erased_at}. Nothing was changed now.`]
  const { doubtful } = erased
  const known = backup === null ? '' : ` (the last one known here is of ${backup})`
  return [
    erased.erased_before === null
      ? `Erased the patient ${patient_id} of ${clinic_id}.`
      : `Erased what had come back of the patient ${patient_id} of ${clinic_id}, who was erased at ${erased.erased_before}.`,
    ...linesOf(erased, { removed: 'Removed', anonymous: 'Made anonymous' }),
    ...(Object.keys(doubtful).length > 0 ? [`Left, because it may be another person's: ${listOf(doubtful)}.`] : []),
    `Backups made before ${erased_at} hold the patient as long as you keep them${known}. After a restore of one, erase the patient again: clinicd doctor says so.`,
  ]
}

function tellLook(look: Erasure): void {
  if (look.erased_before !== null)
    printLine(
      `The patient was erased at ${look.erased_before}. This has come back since, perhaps of another erased one:`,
    )
  for (const line of linesOf(look, { removed: 'Would be removed', anonymous: 'Would be made anonymous' }))
    printLine(line)
  printLine(
    'Would stay: numbers, dates and amounts, as the law asks, and the audit log, which names patients by their ids.',
  )
  // An erased patient takes no contacts any more.
  if (look.erased_before === null)
    printLine(
      'Would stay, uncounted: calls, chats and leads of a phone or e-mail that the patient no longer has. Store it among the contacts before, and they go too.',
    )
  if (look.waiting_messages > 0) printLine(`Not now: ${MessagesWaiting.say(look.waiting_messages)}.`)
  if (Object.keys(look.doubtful).length === 0) return
  printLine(`Would stay, because it may be another person's: ${listOf(look.doubtful)}.`)
  printLine('Look at it before: afterwards nothing says whose it may be. Take --include-doubtful if it is theirs.')
}

function linesOf({ removed, made_anonymous }: Erasure, said: { removed: string; anonymous: string }): string[] {
  const line = (verb: string, counts: Readonly<Record<string, number>>) =>
    Object.keys(counts).length === 0 ? [] : [`${verb}: ${listOf(counts)}.`]
  return [...line(said.removed, removed), ...line(said.anonymous, made_anonymous)]
}

function listOf(counts: Readonly<Partial<Record<string, number>>>): string {
  return Object.entries(counts)
    .map(([kind, count = 0]) => `${count} ${wordFor(kind, count)}`)
    .join(', ')
}

/** @example wordFor('lead_activities', 1) // 'lead activity' */
function wordFor(kind: string, count: number): string {
  const words = kind.replaceAll('_', ' ')
  return count === 1 ? words.replace(/ies$/, 'y').replace(/s$/, '') : words
}
