// `clinicd clinics create|list|update|export|delete`.
import { createClinic, DEFAULT_SLOT_STEP, listClinics } from '@clinic-data/administration/clinics'
import { Command, Option } from 'commander'
import { asOperator } from '../../operator.ts'
import { printJson, printRows } from '../../output.ts'
import { minutesOf, WEEK_STARTS, type WeekStart, weekStartOf } from './clinic-options.ts'
import { clinicsDeleteCommand } from './clinics-delete.ts'
import { clinicsExportCommand } from './clinics-export.ts'
import { clinicsUpdateCommand } from './clinics-update.ts'

const COLUMNS = [
  'clinic_id',
  'name',
  'time_zone',
  'currency',
  'country',
  'week_start',
  'min_visit_minutes',
  'slot_step_minutes',
  'sign_in_demand',
  'needs_approval',
  'closed_at',
  'deleted_at',
]

interface CreateOptions {
  id: string
  name: string
  timeZone: string
  currency: string
  country: string
  weekStart: WeekStart
  minVisitMinutes: string
  slotStepMinutes: string
  aiTranscription?: boolean
  json?: boolean
}

export function clinicsCommand(): Command {
  const command = new Command('clinics')
    .description('Make, list, change, export and delete clinics.')
    .addHelpText('after', '\nWhen a clinic changes or leaves: docs/operate.md#when-a-clinic-changes-or-leaves.')
  command
    .command('create')
    .description('Make a clinic.')
    .requiredOption('--id <id>', 'at most 63 lower case letters, digits, - and _')
    .requiredOption('--name <name>', 'shown to operators')
    .option('--time-zone <zone>', 'IANA name', 'UTC')
    .option('--currency <code>', 'ISO 4217', 'USD')
    .option('--country <code>', 'ISO 3166-1 alpha-2: the country of phone numbers without a country code', 'US')
    .addOption(new Option('--week-start <day>', 'the first day of a week').choices(WEEK_STARTS).default('sunday'))
    .option('--min-visit-minutes <minutes>', 'a free slot must be at least this long', '15')
    .option(
      '--slot-step-minutes <minutes>',
      "today's first free slot begins at the next multiple of this; must divide an hour",
      String(DEFAULT_SLOT_STEP),
    )
    .option('--ai-transcription', 'answered calls may be transcribed')
    .option('--json', 'print JSON')
    .action(create)
  command
    .command('list')
    .description('List the clinics.')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) =>
      asOperator(async (owner) => {
        const clinics = await listClinics(owner)
        const shown = clinics.map((clinic) => ({ ...clinic, week_start: WEEK_STARTS[clinic.week_start] }))
        printRows(json ? clinics : shown, COLUMNS, json)
      }),
    )
  for (const subcommand of [clinicsUpdateCommand(), clinicsExportCommand(), clinicsDeleteCommand()])
    command.addCommand(subcommand)
  return command
}

async function create(options: CreateOptions): Promise<void> {
  const min_visit_minutes = minutesOf(options.minVisitMinutes, '--min-visit-minutes')
  const slot_step_minutes = minutesOf(options.slotStepMinutes, '--slot-step-minutes')
  await asOperator(async (owner) => {
    const clinic = await createClinic(owner, {
      clinic_id: options.id,
      name: options.name,
      time_zone: options.timeZone,
      currency: options.currency,
      country: options.country,
      week_start: weekStartOf(options.weekStart),
      min_visit_minutes,
      slot_step_minutes,
      ai_transcription: options.aiTranscription ?? false,
    })
    if (options.json) printJson(clinic)
    else
      process.stdout.write(
        `Made the clinic ${options.id}. A key for it: clinicd keys mint --clinic ${options.id} --scopes reads\n`,
      )
  })
}
