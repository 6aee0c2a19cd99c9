// `clinicd clinics delete`: ends every way into a clinic, writes its archive, and deletes its rows. Its audit log stays.
import { closeClinic } from '@clinic-data/backend/offboarding/close-clinic'
import { deleteClinic } from '@clinic-data/backend/offboarding/delete-clinic'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { type Config, readConfig } from '@clinic-data/installation/config'
import { Command } from 'commander'
import { type Destination, newFile, STREAM } from '../../destination.ts'
import { asAudited, asOperator, requireClinic } from '../../operator.ts'
import { printJson, printLine } from '../../output.ts'
import { Progress } from '../../progress.ts'
import { UsageError } from '../../usage-error.ts'
import { lineOf, type WrittenArchive, writeArchive } from './clinics-export.ts'

interface DeleteOptions {
  clinic: string
  /** False with `--no-export`. */
  export?: string | false
  confirm?: string
  json?: boolean
}

export function clinicsDeleteCommand(): Command {
  return new Command('delete')
    .summary('Close a clinic, write its archive, and delete its rows and files.')
    .description(
      'Delete a clinic. First closes it: revokes its keys and tokens, disables its administrators, ends its webhooks. Then writes its ' +
        'archive, and deletes its rows and files. Without --confirm nothing is changed. The audit log stays, and the names in it; backups ' +
        'hold the clinic for as long as you keep them. A command that failed or was killed is repeated.',
    )
    .requiredOption('--clinic <id>', 'the clinic')
    .option(
      '--export <file>',
      'the archive, as clinicd clinics export writes it, of what is there when nothing changes any more',
    )
    .option('--no-export', 'delete it without an archive')
    .option('--confirm <id>', 'the id of the clinic once more: delete it. There is no way back')
    .option('--json', 'print JSON')
    .action(remove)
}

async function remove({ clinic, export: archive, confirm, json }: DeleteOptions): Promise<void> {
  const config = readConfig()
  await asOperator(async (owner) => {
    let destination: Destination | null = null
    const { clinic_id, name, deleted_at } = await requireClinic(owner, clinic, { even: 'deleted' })
    if (deleted_at === null) {
      if (archive === undefined) throw new UsageError('give --export <file>, or --no-export for no archive')
      if (archive === STREAM)
        throw new UsageError(
          'the archive of a deletion goes into a file: nobody here knows whether a reader of standard output has kept it',
        )
      if (archive !== false) destination = newFile(archive, 'archive')
      if (confirm !== clinic_id)
        throw new UsageError(
          `nothing was changed. ${await contentOf(owner, clinic_id)} of ${name} would be deleted: confirm it with --confirm ${clinic_id}`,
        )
    }
    const now = new Date()
    let written: WrittenArchive | null = null
    if (deleted_at === null) {
      await closeClinic(owner, clinic_id, { now, beside: asAudited(clinic_id, 'operator.clinics.delete') })
      if (destination !== null) written = await writeArchive(owner, clinic_id, destination)
    }
    const progress = new Progress()
    const shown = (total: number) => progress.show(`${total} rows deleted`)
    const rows = await deleteClinic(owner, clinic_id, now, shown).finally(() => progress.end())
    if (json) return printJson({ clinic_id, rows, archive: written, audit_log: horizonOf(config, now) })
    if (written !== null) printLine(lineOf(written))
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    printLine(`Deleted the clinic ${clinic_id}: ${total} rows.`)
    const { last_day } = horizonOf(config, now)
    printLine(
      last_day === null
        ? 'Its audit log stays for ever: no AUDIT_RETENTION_DAYS is set. Backups from before hold the clinic as long as you keep them.'
        : `Its audit log stays until ${last_day}, by AUDIT_RETENTION_DAYS. Backups from before hold the clinic as long as you keep them.`,
    )
  })
}

/** Returns what a person recognises the clinic by before it is gone. */
async function contentOf(owner: Database, clinic_id: string): Promise<string> {
  const [counts] = await owner.read<{ patients: number; appointments: number; payments: number; files: number }>(
    utcSession(clinic_id),
    sql`select (select count(*) from patient where clinic_id = ${clinic_id})::integer as patients,
      (select count(*) from appointment where clinic_id = ${clinic_id})::integer as appointments,
      (select count(*) from payment where clinic_id = ${clinic_id})::integer as payments,
      (select count(*) from file where clinic_id = ${clinic_id})::integer as files`,
  )
  return Object.entries(counts ?? {})
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')
}

const DAY_MS = 86_400_000

/** The day by whose end the last row of the log is dropped. Null: none is. */
function horizonOf({ auditRetentionDays }: Config, now: Date): { last_day: string | null } {
  if (auditRetentionDays === null) return { last_day: null }
  return { last_day: new Date(now.getTime() + (auditRetentionDays + 1) * DAY_MS).toISOString().slice(0, 10) }
}
