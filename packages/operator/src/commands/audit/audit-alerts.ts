// `clinicd audit alerts`: lists what the watch over the logs has noticed, each with its reason, latest first.
import { reasonInWords } from '@clinic-data/administration/alerts/alert-text'
import { keyNames } from '@clinic-data/administration/alerts/key-names'
import { listClinics } from '@clinic-data/administration/clinics'
import { type AskedAlerts, listAlerts } from '@clinic-data/audit/watch/alerts'
import { ALERT_CURSOR } from '@clinic-data/console-contract/alert-operations'
import type { ClinicSession, Database } from '@clinic-data/database'
import { Command } from 'commander'
import { asOperator, requireClinic } from '../../operator.ts'
import { printJson, printRows } from '../../output.ts'
import { UsageError } from '../../usage-error.ts'

const MOST_ROWS = 1_000
const COLUMNS = ['noticed_at', 'clinic_id', 'rule', 'reason', 'seen_at']

interface Options {
  clinic?: string
  unseen?: boolean
  limit: string
  cursor?: string
  json?: boolean
}

export function auditAlertsCommand(): Command {
  return new Command('alerts')
    .summary('List unusual uses of keys, each with its reason, latest first.')
    .description(
      'List unusual uses of keys, each with its reason, latest first. Names keys, counts and networks; of patients it knows nothing.',
    )
    .option('--clinic <id>', 'only of this clinic; default: of all')
    .option('--unseen', 'only those that nobody has marked as seen in the console')
    .option('--limit <rows>', `at most so many of each clinic, up to ${MOST_ROWS}`, '100')
    .option(
      '--cursor <cursor>',
      'the earlier ones of a clinic, behind what was listed: it is told there; only with --clinic',
    )
    .option('--json', 'print JSON: { data, earlier: [{ clinic_id, cursor }] }')
    .addHelpText('after', '\nWhat is unusual: docs/operate.md#unusual-use-of-keys.')
    .action(list)
}

async function list({ clinic, unseen, limit, cursor, json }: Options): Promise<void> {
  if (!/^[1-9]\d*$/.test(limit) || Number(limit) > MOST_ROWS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MOST_ROWS}`)
  if (cursor !== undefined && clinic === undefined)
    throw new UsageError('--cursor is of one clinic: name it by --clinic')
  if (cursor !== undefined && !new RegExp(ALERT_CURSOR).test(cursor))
    throw new UsageError('--cursor must be one that clinicd audit alerts has told')
  const wanted = { limit: Number(limit), isUnseen: unseen, cursor }
  const pages = await asOperator(async (owner) => {
    const clinics = clinic === undefined ? await listClinics(owner) : [await requireClinic(owner, clinic)]
    const found = []
    for (const one of clinics) found.push(await pageOf(owner, one, wanted))
    return found
  })
  const data = pages.flatMap(({ alerts }) => alerts).sort((a, b) => Date.parse(b.noticed_at) - Date.parse(a.noticed_at))
  const earlier = pages.flatMap(({ clinic_id, next_cursor: cursor }) =>
    cursor === null ? [] : [{ clinic_id, cursor }],
  )
  if (json) return printJson({ data, earlier })
  printRows(data, COLUMNS, false)
  for (const { clinic_id, cursor } of earlier)
    process.stderr.write(`There are earlier ones of ${clinic_id}: --clinic ${clinic_id} --cursor ${cursor}\n`)
}

async function pageOf(owner: Database, clinic: ClinicSession, wanted: AskedAlerts) {
  const { clinic_id } = clinic
  const { alerts, next_cursor } = await listAlerts(owner, clinic, wanted)
  const names = await keyNames(owner, clinic, alerts)
  return {
    clinic_id,
    next_cursor,
    alerts: alerts.map((alert) => ({
      clinic_id,
      ...alert,
      reason: reasonInWords({ ...alert, key_name: names.get(alert.key_id) ?? alert.key_id }),
    })),
  }
}
