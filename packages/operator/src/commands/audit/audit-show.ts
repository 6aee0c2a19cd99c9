// `clinicd audit show`: reads a clinic's audit log, latest first, in pages of a bounded search.
import { listActivity } from '@clinic-data/administration/pages/activity'
import { ACTIVITY_PAGE, type ActivityRow } from '@clinic-data/console-contract/console-activity'
import { Command } from 'commander'
import { asOperator, requireClinic } from '../../operator.ts'
import { printJson, printRows } from '../../output.ts'
import { UsageError } from '../../usage-error.ts'
import { momentOf } from './moment.ts'

const COLUMNS = [
  'at',
  'who',
  'operation',
  'surface',
  'status',
  'problem',
  'count',
  'resource_ids',
  'patient_ids',
  'address',
]
const MOST_ROWS = 10_000
/** A table shows as many ids of a row. With --json all of them are printed. */
const SHOWN_IDS = 3

interface Options {
  clinic: string
  patient?: string
  record?: string
  key?: string
  since?: string
  until?: string
  limit: string
  json?: boolean
}

export function auditShowCommand(): Command {
  return new Command('show')
    .summary('Show who read and changed what, latest first.')
    .description(
      'Show who read and changed what, latest first. Names keys, tokens and administrators; of patients and other records it knows ids only.',
    )
    .requiredOption('--clinic <id>', 'the clinic')
    .option(
      '--patient <id>',
      "only what read or changed this patient's data, or was delivered of it, or asked for it in vain",
    )
    .option('--record <id>', 'only what named this record, for example an appointment')
    .option('--key <id>', 'only what this key, token or administrator did, or what this webhook got')
    .option('--since <moment>', "a day of the clinic's, for example 2026-10-21, or an instant with offset")
    .option('--until <moment>', 'such a day, which is included, or an instant')
    .option('--limit <rows>', `at most so many rows, up to ${MOST_ROWS}`, '100')
    .option('--json', 'print JSON: { data, has_more, records_only_until }')
    .addHelpText('after', '\nWhat the log holds: docs/operate.md#who-did-what.')
    .action(show)
}

async function show({ clinic: id, patient, record, key, since, until, limit, json }: Options): Promise<void> {
  if (!/^[1-9]\d*$/.test(limit) || Number(limit) > MOST_ROWS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MOST_ROWS}`)
  const from = momentOf(since, '--since')
  const to = momentOf(until, '--until')
  const search = {
    ...(patient === undefined ? {} : { patient_id: patient }),
    ...(record === undefined ? {} : { resource_id: record }),
    ...(key === undefined ? {} : { actor: key }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
  const rows: ActivityRow[] = []
  let cursor: string | null = null
  let recordsOnlyUntil: string | null = null
  await asOperator(async (owner) => {
    const clinic = await requireClinic(owner, id, { even: 'deleted' })
    do {
      const page = { ...search, limit: Math.min(ACTIVITY_PAGE.most, Number(limit) - rows.length) }
      const { data, meta } = await listActivity(owner, clinic, cursor === null ? page : { ...page, cursor }, new Date())
      rows.push(...data)
      cursor = meta.next_cursor
      recordsOnlyUntil ??= meta.records_only_until
    } while (cursor !== null && rows.length < Number(limit))
  })
  const has_more = cursor !== null
  if (json) return printJson({ data: rows, has_more, records_only_until: recordsOnlyUntil })
  printRows(rows.map(rowOf), COLUMNS, false)
  if (recordsOnlyUntil !== null)
    process.stderr.write(
      `Rows up to ${recordsOnlyUntil} name only the ids of records: some of them may be missing here.\n`,
    )
  if (has_more) process.stderr.write(`There may be earlier rows: add --limit or --until ${rows.at(-1)?.at}.\n`)
}

function rowOf({ who, resource_ids, patient_ids, patient_count, problem, required_scope, ...row }: ActivityRow) {
  return {
    ...row,
    who: who.name === null ? who.id : `${who.name} (${who.id})`,
    problem: [problem, required_scope].filter((part) => part !== null).join(' '),
    resource_ids: firstOf(resource_ids, resource_ids.length),
    patient_ids: patient_ids === null ? '?' : firstOf(patient_ids, patient_count ?? 0),
  }
}

function firstOf(ids: readonly string[], count: number): string[] {
  const shown = ids.slice(0, SHOWN_IDS)
  return count > shown.length ? [...shown, `+${count - shown.length}`] : shown
}
