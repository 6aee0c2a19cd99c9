// `clinicd apps create|list|show|rotate|disable`: the apps that people may connect to their clinics.
import { readFile } from 'node:fs/promises'
import { listClinics } from '@clinic-data/administration/clinics'
import { createApp, disableApp, listApps, rotateAppSecret, showApp } from '@clinic-data/connect/apps/registered-apps'
import { endConnectionsOfApp } from '@clinic-data/connect/connections/end-of-app'
import { Command } from 'commander'
import { asAudited, asOperator } from '../operator.ts'
import { printJson, printLine, printRows } from '../output.ts'
import { UsageError } from '../usage-error.ts'

const COLUMNS = ['id', 'kind', 'name', 'authentication', 'redirect_uris', 'created_at', 'last_used_at', 'disabled_at']

interface CreateOptions {
  name: string
  redirect: string[]
  confidential?: boolean
  jwks?: string
  json?: boolean
}

export function appsCommand(): Command {
  const command = new Command('apps')
    .description('Register, list and disable the apps that people may connect to their clinics.')
    .addHelpText('after', '\nWhich apps may be connected: docs/operate.md.')
  const subcommand = (name: string, description: string) =>
    command.command(name).description(description).option('--json', 'print JSON')
  subcommand('create', 'Register an app. Prints its client_id, and once the secret of a confidential one.')
    .requiredOption('--name <name>', 'what people see when they connect it')
    .requiredOption('--redirect <uri...>', 'where it may send a browser back, to the letter; repeat for more')
    .option('--confidential', 'it proves itself by a secret, as an app on a server can')
    .option('--jwks <file>', 'it proves itself by signing; its public keys, a JWK set')
    .action(create)
  subcommand('list', 'List the apps that are registered or disabled.').action(({ json }: { json?: boolean }) =>
    asOperator(async (owner) => printRows(await listApps(owner), COLUMNS, json)),
  )
  subcommand('show', 'Show an app.')
    .argument('<client id>', 'the id that create and list print')
    .action((id: string, { json }: { json?: boolean }) =>
      asOperator(async (owner) => {
        const app = await showApp(owner, id)
        if (json) printJson(app)
        else printRows([app], COLUMNS, false)
      }),
    )
  subcommand('rotate', 'Give a confidential app another secret, and print it once. The former one is good for a day.')
    .argument('<client id>', 'the id that create and list print')
    .action((id: string, { json }: { json?: boolean }) =>
      asOperator(async (owner) => {
        const { secret, former_secret_until } = await rotateAppSecret(owner, id, new Date())
        if (json) printJson({ client_id: id, client_secret: secret, former_secret_until })
        else printLine(secret ?? '')
      }),
    )
  subcommand('disable', 'Disable an app for good, and end its connections in all clinics.')
    .argument('<client id>', 'the id that create and list print, or the https address of its document')
    .action(disable)
  return command
}

async function create({ name, redirect, confidential = false, jwks, json }: CreateOptions): Promise<void> {
  if (confidential && jwks !== undefined)
    throw new UsageError('--confidential and --jwks are two ways to prove an app: give one of them')
  const keys = jwks === undefined ? null : await keysIn(jwks)
  await asOperator(async (owner) => {
    const { id, secret } = await createApp(owner, {
      name,
      redirect_uris: redirect,
      authentication: keys !== null ? 'private_key_jwt' : confidential ? 'client_secret' : 'none',
      jwks: keys,
      now: new Date(),
    })
    if (json) printJson({ client_id: id, client_secret: secret })
    else for (const line of [id, ...(secret === null ? [] : [secret])]) printLine(line)
  })
}

async function keysIn(file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--jwks names ${file}, which is not a file of JSON`, { cause: error })
  }
}

async function disable(id: string, { json }: { json?: boolean }): Promise<void> {
  await asOperator(async (owner) => {
    const now = new Date()
    const app = await disableApp(owner, id, now)
    const clinic_ids = (await listClinics(owner)).map(({ clinic_id }) => clinic_id)
    const beside = (clinic_id: string) => asAudited(clinic_id, 'operator.apps.disable')
    const ended = await endConnectionsOfApp(owner, { app_id: id, clinic_ids, now, beside })
    if (json) printJson({ ...app, ended_connections: ended })
    else printLine(`Disabled the app ${id}. Connections that ended: ${ended}.`)
  })
}
