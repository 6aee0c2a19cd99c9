// `clinicd audit alerts`: lists what the watch over the logs has noticed, each with its reason, latest first.
import { reasonInWords } from '@clinic-data/administration/alerts/alert-text'
import { keyNames } from '@clinic-data/administration/alerts/key-names'
import { listClinics } from '@clinic-data/administration/clinics'
import { listAlerts } from '@clinic-data/audit/watch/alerts'
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
    .option('--json', 'print JSON')
    .addHelpText('after', '\nWhat is unusual: docs/operate.md#unusual-use-of-keys.')
    .action(list)
}

async function list({ clinic, unseen, limit, json }: Options): Promise<void> {
  if (!/^[1-9]\d*$/.test(limit) || Number(limit) > MOST_ROWS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MOST_ROWS}`)
  const rows = await asOperator(async (owner) => {
    const clinics = clinic === undefined ? await listClinics(owner) : [await requireClinic(owner, clinic)]
    const found = []
    for (const one of clinics) found.push(...(await alertsIn(owner, one, { limit: Number(limit), isUnseen: unseen })))
    return found.sort((a, b) => Date.parse(b.noticed_at) - Date.parse(a.noticed_at))
  })
  if (json) return printJson(rows)
  printRows(rows, COLUMNS, false)
}

async function alertsIn(
  owner: Database,
  clinic: ClinicSession,
  wanted: { limit: number; isUnseen: boolean | undefined },
) {
  const { clinic_id } = clinic
  const { alerts } = await listAlerts(owner, clinic, wanted)
  const names = await keyNames(owner, clinic, alerts)
  return alerts.map((alert) => ({
    clinic_id,
    ...alert,
    reason: reasonInWords({ ...alert, key_name: names.get(alert.key_id) ?? alert.key_id }),
  }))
}
