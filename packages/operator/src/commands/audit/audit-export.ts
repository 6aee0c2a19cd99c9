// `clinicd audit export`: writes a clinic's audit log into a file that proves itself.
import { auditPeriod } from '@clinic-data/administration/pages/activity-period'
import type { FileVerdict } from '@clinic-data/audit/export/check'
import { type FormatName, formatNames, type Period } from '@clinic-data/audit/export/entries'
import { AuditExport } from '@clinic-data/audit/export/export-log'
import { type Database, utcSession } from '@clinic-data/database'
import { Command, Option } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { type Destination, destinationOf, nameOf, STREAM } from '../../destination.ts'
import { megabytes } from '../../new-file.ts'
import { asAudited, asOperator, requireClinic } from '../../operator.ts'
import { printFault, printJson, printLine } from '../../output.ts'
import { Progress } from '../../progress.ts'
import { UsageError } from '../../usage-error.ts'
import { faultIn, linesOf } from './audit-file.ts'
import { momentOf } from './moment.ts'

interface Options {
  clinic: string
  since?: string
  until?: string
  format: FormatName
  to: string
  json?: boolean
}

export function auditExportCommand(): Command {
  return new Command('export')
    .summary('Write the audit log into a file that proves itself.')
    .description(
      'Write the audit log into a file, oldest first, with the seals that prove it: clinicd audit verify --file checks it without a database ' +
        'or keys. It names patients and records by their ids. The export has a row in the log.',
    )
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--since <moment>', "a day of the clinic's, for example 2026-10-21, or an instant with offset")
    .option('--until <moment>', 'such a day, which is included, or an instant. The period is widened to whole seals')
    .addOption(
      new Option(
        '--format <format>',
        'ndjson for programs, csv for a spreadsheet, ocsf for systems that collect events',
      )
        .choices(formatNames)
        .default('ndjson'),
    )
    .option(
      '--to <file>',
      'the new file, which only its owner can read. - is standard output: what is told then goes to standard error',
      STREAM,
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nWhat the file holds: docs/decisions/0116-an-exported-log-proves-itself.md.')
    .action(run)
}

async function run({ clinic: id, since, until, format, to, json }: Options): Promise<void> {
  const wanted = { from: momentOf(since, '--since'), to: momentOf(until, '--until') }
  const destination = destinationOf(to, 'export', 'clinicd audit export --clinic <id>')
  await asOperator(async (owner) => {
    const clinic = await requireClinic(owner, id, { even: 'deleted' })
    const bounds = await auditPeriod(owner, clinic, wanted)
    const period: Period = { since: isoOf(bounds.since), until: isoOf(bounds.until) }
    if (period.since !== null && period.until !== null && period.since >= period.until)
      throw new UsageError('--since must come before --until')
    const { verdict, bytes } = await writeLog(owner, clinic.clinic_id, { format, period, destination })
    if (json) printJson({ file: to, bytes, ...verdict }, destination.output)
    else for (const line of reportOf(verdict, { to, bytes, period })) printLine(line, destination.output)
    if (verdict.sound) return
    printFault('the log in the database does not match its seals: keep it as it is, and run clinicd audit verify')
    process.exitCode = 1
  })
}

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

interface Wanted {
  format: FormatName
  period: Period
  destination: Destination
}

async function writeLog(owner: Database, clinic_id: string, { format, period, destination }: Wanted) {
  const now = new Date()
  const beside = asAudited(clinic_id, 'operator.audit.export')
  const log = new AuditExport(owner, clinic_id, {
    format,
    period,
    program: manifest.version,
    now,
    audit: (exported) => owner.write(utcSession(clinic_id), async (tx) => beside(tx, exported)),
  })
  const progress = new Progress()
  let bytes = 0
  async function* shown() {
    for await (const chunk of log.content()) {
      bytes += chunk.length
      progress.show(`${megabytes(bytes)} written`)
      yield chunk
    }
  }
  await destination.write(shown()).finally(() => progress.end())
  return { verdict: log.verdict(), bytes }
}

function reportOf(
  verdict: FileVerdict,
  { to, bytes, period }: { to: string; bytes: number; period: Period },
): string[] {
  const wrote = `Wrote ${nameOf(to)}: ${megabytes(bytes)}. It names patients by their ids.`
  if (!verdict.sound) return [wrote, faultIn(verdict)]
  const widened = `The period is from ${period.since ?? 'the beginning'} to ${period.until ?? 'now'}, widened to whole seals.`
  const isWhole = period.since === null && period.until === null
  return [wrote, ...(isWhole ? [] : [widened]), ...linesOf(verdict)]
}
