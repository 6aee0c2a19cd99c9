// `clinicd doctor`: says whether the service could start and answer here, and what stands in its way.

import { readConfig } from '@clinic-data/installation/config'
import { type Role, roles } from '@clinic-data/installation/role'
import { ConfigError } from '@clinic-data/installation/settings/config-error'
import { Command, Option } from 'commander'
import { checks, type Finding, fault } from '../doctor/finding.ts'
import { printJson, printLine } from '../output.ts'

interface Options {
  role: Role
  workers?: string | undefined
  json?: boolean
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('Say whether the service could start and answer here. Changes nothing.')
    .description(
      'Look at everything that the service needs: settings, data folder, database, logins, clock, Redis, ports and addresses. ' +
        'Changes nothing. Exits with 1 for a fault, which keeps the service from starting or from a part of its work, with 2 for a wrong setting, and with 0 otherwise, also with warnings.',
    )
    .addOption(new Option('--role <role>', 'the part of the service to look for').choices(roles).default('all'))
    .option('--json', 'print JSON')
    .action(runDoctor)
}

export async function runDoctor({ role, workers, json }: Options): Promise<void> {
  const findings = await findingsFor(role, workers)
  if (json) printJson(findings)
  else for (const one of findings) printLine(textOf(one))
  const faults = findings.filter(({ state }) => state === 'fault')
  if (faults.length > 0) process.exitCode = faults.some(({ check }) => check === 'settings') ? 2 : 1
}

async function findingsFor(role: Role, workers: string | undefined): Promise<readonly Finding[]> {
  try {
    const config = readConfig(undefined, { workers })
    return await (await import('../doctor/examine.ts')).examine(config, role)
  } catch (error) {
    if (error instanceof ConfigError) return [fault('settings', error.message)]
    throw error
  }
}

const WIDTH = Math.max(...checks.map((check) => check.length))

function textOf({ check, state, detail }: Finding): string {
  return `${state.padEnd('warning'.length)}  ${check.replaceAll('_', ' ').padEnd(WIDTH)}  ${detail}`
}
