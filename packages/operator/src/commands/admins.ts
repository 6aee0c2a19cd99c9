// `clinicd admins create|list|role|disable|link|unbind`: the people who may open a clinic's console.
import {
  createAdministrator,
  disableAdministrator,
  giveRole,
  LINK_MS,
  listAdministrators,
  makeSignInLink,
  signInAddress,
  unbindAdministrator,
} from '@clinic-data/administration/administrators'
import { type Role, roles } from '@clinic-data/console-contract/role-names'
import { readConfig } from '@clinic-data/installation/config'
import { consoleAddress } from '@clinic-data/installation/console-address'
import { authority } from '@clinic-data/installation/settings/addresses'
import { Command, Option } from 'commander'
import { asAudited, asOperator, requireClinic } from '../operator.ts'
import { printJson, printRows } from '../output.ts'
import { UsageError } from '../usage-error.ts'
import { ofClinic } from './of-clinic.ts'

const COLUMNS = ['id', 'email', 'name', 'role', 'has_password', 'is_bound', 'created_at', 'last_seen_at', 'disabled_at']

interface Options {
  clinic: string
  json?: boolean
}

export function adminsCommand(): Command {
  const command = new Command('admins')
    .description('Make, list and disable the people who may open the console of a clinic.')
    .addHelpText('after', '\nThe console, and who may open it: docs/console.md.')
  const subcommand = ofClinic(command)
  subcommand('create', 'Make an administrator. A sign-in link (clinicd admins link) opens the console the first time.')
    .requiredOption('--email <email>', 'the address that signs in')
    .requiredOption('--name <name>', 'the person')
    .addOption(roleOption().default('owner' satisfies Role))
    .action(create)
  subcommand('list', 'List the administrators of a clinic.').action(list)
  subcommand('role', 'Give an administrator another role. The last owner of a clinic keeps it.')
    .argument('<administrator id>', 'the id that create and list print')
    .addOption(roleOption().makeOptionMandatory())
    .action(role)
  subcommand('disable', 'Disable an administrator. Sessions and links end at once, keys stay.')
    .argument('<administrator id>', 'the id that create and list print')
    .action(disable)
  subcommand('link', 'Print an address that signs an administrator in once, within 15 minutes.')
    .argument('<administrator id>', 'the id that create and list print')
    .option(
      '--console <address>',
      'where the browser reaches the private listener, if not at CONSOLE_URL, or at ADMIN_HOST and ADMIN_PORT',
    )
    .action(link)
  subcommand(
    'unbind',
    'Forget with which account of the identity provider an administrator signs in. The next sign-in by it is kept instead.',
  )
    .summary("Forget an administrator's account at the identity provider. The next one that signs in is kept.")
    .argument('<administrator id>', 'the id that create and list print')
    .action(unbind)
  return command
}

const roleOption = () => new Option('--role <role>', 'what the person may do: docs/console.md').choices(roles)

async function create({
  clinic,
  email,
  name,
  role,
  json,
}: Options & { email: string; name: string; role: Role }): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    const made = await createAdministrator(
      owner,
      { clinic_id, email, name, role, now: new Date() },
      asAudited(clinic_id, 'operator.admins.create'),
    )
    if (json) printJson(made)
    else process.stdout.write(`${made.id}\n`)
  })
}

async function list({ clinic, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    printRows(await listAdministrators(owner, clinic_id), COLUMNS, json)
  })
}

async function role(id: string, { clinic, role, json }: Options & { role: Role }): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    await giveRole(owner, { clinic_id, id, role, now: new Date() }, asAudited(clinic_id, 'operator.admins.role'))
    if (json) printJson({ id, clinic_id, role })
    else process.stdout.write(`The role of ${id} is ${role} now.\n`)
  })
}

async function disable(id: string, { clinic, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    await disableAdministrator(
      owner,
      { clinic_id, id, now: new Date() },
      asAudited(clinic_id, 'operator.admins.disable'),
    )
    if (json) printJson({ id, clinic_id, disabled: true })
    else process.stdout.write(`Disabled the administrator ${id}.\n`)
  })
}

async function unbind(id: string, { clinic, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    await unbindAdministrator(owner, { clinic_id, id }, asAudited(clinic_id, 'operator.admins.unbind'))
    if (json) printJson({ id, clinic_id, unbound: true })
    else process.stdout.write(`Any account with the verified e-mail of ${id} may sign in next, and is kept.\n`)
  })
}

async function link(
  id: string,
  { clinic, console: consoleOption, json }: Options & { console?: string },
): Promise<void> {
  const address = wantedAddress(consoleOption)
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    const { token, expires_at } = await makeSignInLink(
      owner,
      { clinic_id, id, now: new Date() },
      asAudited(clinic_id, 'operator.admins.link'),
    )
    const url = signInAddress(address, token)
    if (json) printJson({ url, expires_at: expires_at.toISOString(), clinic_id, id })
    else process.stdout.write(`${url}\nIt signs in once, within ${LINK_MS / 60_000} minutes.\n`)
  })
}

/** @throws UsageError */
function wantedAddress(address: string | undefined): string {
  if (address === undefined) {
    const { consoleUrl, adminHost, adminPort } = readConfig()
    return consoleUrl ?? consoleAddress(`http://${authority(adminHost)}:${adminPort}`)
  }
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new UsageError('--console must be an address such as https://console.example.com')
  }
  return new URL(address).origin
}
