// `clinicd clinics update`: changes a clinic's settings.
import { type ClinicChanges, updateClinic } from '@clinic-data/administration/clinics'
import { type SignInDemand, signInDemands } from '@clinic-data/console-contract/sign-in-demand'
import { Command, Option } from 'commander'
import { asAudited, asOperator, requireClinic } from '../../operator.ts'
import { printJson, printLine } from '../../output.ts'
import { UsageError } from '../../usage-error.ts'
import { minutesOf, SWITCH, WEEK_STARTS, type WeekStart, weekStartOf } from './clinic-options.ts'

interface UpdateOptions {
  clinic: string
  name?: string
  timeZone?: string
  country?: string
  weekStart?: WeekStart
  minVisitMinutes?: string
  slotStepMinutes?: string
  aiTranscription?: (typeof SWITCH)[number]
  signIn?: SignInDemand
  approval?: (typeof SWITCH)[number]
  json?: boolean
}

export function clinicsUpdateCommand(): Command {
  return new Command('update')
    .description("Change a clinic's settings. Gateways use them within a second. Its id and its currency stay.")
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--name <name>', 'shown to operators')
    .option('--time-zone <zone>', 'IANA name. Instants stay; working hours are on the new clock')
    .option(
      '--country <code>',
      'ISO 3166-1 alpha-2: of phone numbers without a country code, in what comes from now on',
    )
    .addOption(new Option('--week-start <day>', 'the first day of a week').choices(WEEK_STARTS))
    .option('--min-visit-minutes <minutes>', 'a free slot must be at least this long')
    .option('--slot-step-minutes <minutes>', "today's first free slot begins at the next multiple of this")
    .addOption(new Option('--ai-transcription <switch>', 'answered calls may be transcribed').choices(SWITCH))
    .addOption(
      new Option(
        '--sign-in <way>',
        'how everybody must sign in to the console; any is the way back for whoever lost a passkey',
      ).choices(signInDemands),
    )
    .addOption(
      new Option(
        '--approval <switch>',
        "what opens patients' data wider in the console waits for a second person; off is the way back where nobody is left to approve",
      ).choices(SWITCH),
    )
    .option('--json', 'print JSON')
    .action(update)
}

async function update({ clinic, json, ...options }: UpdateOptions): Promise<void> {
  const changes = changesOf(options)
  if (Object.keys(changes).length === 0)
    throw new UsageError('give at least one setting to change; clinicd clinics update --help shows them')
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    const changed = await updateClinic(owner, clinic_id, changes, asAudited(clinic_id, 'operator.clinics.update'))
    if (json) printJson(changed)
    else printLine(`Changed the clinic ${clinic_id}: ${Object.keys(changes).join(', ')}.`)
  })
}

function changesOf(options: Omit<UpdateOptions, 'clinic' | 'json'>): ClinicChanges {
  const { name, timeZone, country, weekStart, minVisitMinutes, slotStepMinutes } = options
  const { aiTranscription, signIn, approval } = options
  return {
    ...(name !== undefined && { name }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(country !== undefined && { country }),
    ...(weekStart !== undefined && { week_start: weekStartOf(weekStart) }),
    ...(minVisitMinutes !== undefined && { min_visit_minutes: minutesOf(minVisitMinutes, '--min-visit-minutes') }),
    ...(slotStepMinutes !== undefined && { slot_step_minutes: minutesOf(slotStepMinutes, '--slot-step-minutes') }),
    ...(aiTranscription !== undefined && { ai_transcription: aiTranscription === 'on' }),
    ...(signIn !== undefined && { sign_in_demand: signIn }),
    ...(approval !== undefined && { needs_approval: approval === 'on' }),
  }
}
