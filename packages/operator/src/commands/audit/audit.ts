// `clinicd audit verify`: recomputes the chain over a clinic's audit log, in the database or in an exported file. Names the first seal that
// does not match, or prints the head of a sound chain.
import { type AuditVerdict, verifyAudit } from '@clinic-data/audit/audit-verify'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { type Config, readConfig } from '@clinic-data/installation/config'
import { secretKeysOf } from '@clinic-data/installation/secret-key-file'
import { Command } from 'commander'
import { asOperator, requireClinic } from '../../operator.ts'
import { printJson } from '../../output.ts'
import { UsageError } from '../../usage-error.ts'
import { auditAlertsCommand } from './audit-alerts.ts'
import { auditExportCommand } from './audit-export.ts'
import { verifyExport } from './audit-file.ts'
import { auditShowCommand } from './audit-show.ts'

interface Options {
  clinic?: string
  file?: string
  rows?: boolean
  expect?: string
  keptSince?: string
  json?: boolean
}

export function auditCommand(): Command {
  const command = new Command('audit').description("Show and check a clinic's audit log.")
  command
    .command('verify')
    .summary('Check the hash chain over the audit rows, and print its head.')
    .description(
      'Recompute the hash chain over the audit rows and print its head. Exit 1 if a row was changed, removed or inserted.',
    )
    .option('--clinic <id>', 'the clinic')
    .option(
      '--file <file>',
      'in place of --clinic, a file of clinicd audit export, or - for standard input: needs no database or keys',
    )
    .option('--rows', "with --file, also print the rows that the console's export was made for")
    .option('--expect <head>', 'a head that an earlier verify printed: exit 1 if the chain no longer holds it')
    .option(
      '--kept-since <day>',
      'earlier days may be missing (UTC, for example 2026-10-21); default: by AUDIT_RETENTION_DAYS',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nKeep the head elsewhere, and give it to --expect later. What this finds:\ndocs/decisions/0031-the-audit-chain-ends-in-a-keyed-head.md.',
    )
    .action(verify)
  command.addCommand(auditShowCommand())
  command.addCommand(auditExportCommand())
  command.addCommand(auditAlertsCommand())
  return command
}

async function verify({ clinic, file, rows, expect, keptSince, json }: Options): Promise<void> {
  if (expect !== undefined && !HEAD.test(expect)) throw new UsageError('--expect must be a head that verify printed')
  if (keptSince !== undefined && !DAY.test(keptSince))
    throw new UsageError('--kept-since must be a day, for example 2026-10-21')
  if (file !== undefined && clinic === undefined) {
    if (keptSince !== undefined)
      throw new UsageError('--kept-since is for --clinic: a file says itself which days were dropped')
    return verifyExport(file, { expected: expect ?? null, withRows: rows ?? false, json })
  }
  if (clinic === undefined || file !== undefined)
    throw new UsageError('give either --clinic, for the log in the database, or --file, for an exported one')
  if (rows) throw new UsageError('--rows is for --file; clinicd audit show prints the rows of the database')
  const config = readConfig()
  const keys = signingKeys(await secretKeysOf(config), 'audit-head')
  const verdict = await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic, { even: 'deleted' })
    const verification = { keys, keptSince: keptSince ?? keptSinceOf(config), expected: expect ?? null }
    return verifyAudit(owner, clinic_id, verification)
  })
  if (json) printJson(verdict)
  else process.stdout.write(textOf(verdict))
  if (!verdict.sound) process.exitCode = 1
}

const HEAD = /^\d{1,15}\.[0-9a-f]{64}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

/** The first day that the retention keeps today. */
function keptSinceOf({ auditRetentionDays }: Config): string | null {
  if (auditRetentionDays === null) return null
  return new Date(Date.now() - auditRetentionDays * DAY_MS).toISOString().slice(0, 10)
}

function textOf(verdict: AuditVerdict): string {
  if (!verdict.sound) return `Not sound: seal ${verdict.number}: ${verdict.reason}.\n`
  const { seals, rows, since, head, former, unproven_before } = verdict
  const before =
    former.seals === 0 ? '' : `Sound: ${former.seals} seals over ${former.rows} rows, which the first versions made.\n`
  const unproven =
    unproven_before === null
      ? ''
      : `Not proven by a key: rows from before ${unproven_before}, when a backup was restored without its secret keys. A head that was ` +
        'printed earlier proves the rows up to it: give it to --expect.\n'
  if (head === null) return `${before}Nothing is sealed yet.\n${unproven}`
  const from = since === null ? '' : `, from ${since} on: the rows of earlier days have been dropped`
  return `${before}Sound: ${seals} seals over ${rows} rows${from}.\n${unproven}Head: ${head}\n`
}
