// `clinicd integrations list|stop|resume`: what a clinic has with its partners, and Stop when nobody can reach the console.
import { listIntegrations } from '@clinic-data/administration/integrations/list-integrations'
import { resumeIntegration, stopIntegration } from '@clinic-data/administration/integrations/stop-integration'
import type { StopAnswer } from '@clinic-data/console-contract/integration-operations'
import { Problem } from '@clinic-data/contract'
import { Command } from 'commander'
import { asAudited, asOperator, requireClinic } from '../operator.ts'
import { printJson, printLine, printRows } from '../output.ts'
import { UsageError } from '../usage-error.ts'

const COLUMNS = ['id', 'name', 'keys', 'connections', 'webhooks', 'failing_webhooks', 'last_used_at', 'stopped_at']

interface Options {
  clinic: string
  json?: boolean
}

export function integrationsCommand(): Command {
  const command = new Command('integrations').description("List a clinic's integrations, stop one, and undo that.")
  command
    .command('list')
    .description('List the integrations of a clinic: all that it has with each partner.')
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--json', 'print JSON')
    .action(({ clinic, json }: Options) =>
      asOperator(async (owner) => {
        const found = await requireClinic(owner, clinic, { even: 'closed' })
        printRows(await listIntegrations(owner, found, new Date()), COLUMNS, json)
      }),
    )
  command
    .command('stop')
    .summary('Stop an integration. When this command returns, all of it is refused everywhere.')
    .description(
      'Stop an integration: its keys and connections are refused, its webhooks paused. When this command returns, that holds everywhere. Nothing is revoked: resume undoes it.',
    )
    .argument('<integration id>', 'the id that list prints')
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--json', 'print JSON')
    .action(stop)
  command
    .command('resume')
    .description('Undo the stop of an integration, and nothing else.')
    .argument('<integration id>', 'the id that list prints')
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--json', 'print JSON')
    .action(resume)
  return command
}

async function stop(id: string, { clinic, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const found = await requireClinic(owner, clinic)
    const record = asAudited(found.clinic_id, 'operator.integrations.stop')
    const answer = await known(stopIntegration(owner, found, { id, by: null, now: new Date(), record }))
    if (json) printJson(answer)
    else printLine(`Stopped: ${partsOf(answer)} are refused or paused. ${answer.waiting} deliveries wait.`)
  })
}

async function resume(id: string, { clinic, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const found = await requireClinic(owner, clinic)
    const record = asAudited(found.clinic_id, 'operator.integrations.resume')
    const answer = await known(resumeIntegration(owner, found, { id, by: null, now: new Date(), record }))
    if (json) printJson(answer)
    else
      printLine(
        `Undone: ${partsOf(answer)} go on. ${answer.waiting} deliveries go on, ${answer.expired} have waited too long and failed.`,
      )
  })
}

function partsOf({ keys, connections, webhooks }: StopAnswer): string {
  return `${keys} keys, ${connections} connections and ${webhooks} webhooks`
}

/** @throws UsageError for an id that none of the clinic's has. */
async function known<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Problem && error.slug === 'not-found')) throw error
    throw new UsageError('the clinic has no integration with this id; clinicd integrations list shows all')
  }
}
