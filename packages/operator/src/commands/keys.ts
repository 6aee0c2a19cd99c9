// `clinicd keys mint|list|revoke`.
import { listKeys, mintKey, revokeKey } from '@clinic-data/administration/credentials/keys'
import { allScopes, Problem, parseScopes, scopes } from '@clinic-data/contract'
import { isInstant } from '@clinic-data/contract/formats'
import { type MadeSubscription, madeBy } from '@clinic-data/webhooks/subscriptions/makers'
import { Command } from 'commander'
import { asAudited, asOperator, requireClinic } from '../operator.ts'
import { printJson, printLine, printRows } from '../output.ts'
import { UsageError } from '../usage-error.ts'
import { ofClinic } from './of-clinic.ts'

const COLUMNS = [
  'id',
  'name',
  'first_characters',
  'last_characters',
  'scopes',
  'rate_limit',
  'networks',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
]

interface MintOptions {
  clinic: string
  scopes: string
  name: string
  expires?: string
  rate?: string
  networks?: string
  integration?: string
  json?: boolean
}

export function keysCommand(): Command {
  const command = new Command('keys').description("Mint, list and revoke a clinic's API keys.")
  command
    .command('mint')
    .description('Mint a key. Its plaintext is printed once and stored nowhere.')
    .requiredOption('--clinic <id>', 'the clinic of the key')
    .requiredOption('--scopes <scopes>', 'comma-separated scopes; "reads" is every *:read scope but leads:read')
    .option('--name <name>', 'what the key is for', 'unnamed')
    .option('--expires <instant>', 'ISO 8601 with offset, for example 2027-01-31T00:00:00Z')
    .option('--rate <requests>', 'requests per window, instead of the default')
    .option(
      '--networks <networks>',
      'comma-separated addresses and CIDR blocks from which alone it works; default: anywhere',
    )
    .option(
      '--integration <id>',
      'the integration of the key, which clinicd integrations list shows; default: the one with the name of the key, or a new one',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', scopeHelp)
    .action(mint)
  const subcommand = ofClinic(command)
  subcommand('list', 'List the keys of a clinic, with their first and last characters.').action(
    ({ clinic, json }: { clinic: string; json?: boolean }) =>
      asOperator(async (owner) => {
        const { clinic_id } = await requireClinic(owner, clinic, { even: 'deleted' })
        printRows(await listKeys(owner, clinic_id), COLUMNS, json)
      }),
  )
  subcommand(
    'revoke',
    'Revoke a key. When this command returns, the key is refused everywhere. Lists the webhooks that it made and that go on.',
  )
    .summary('Revoke a key. When this command returns, the key is refused everywhere.')
    .argument('<key id>', 'the id that mint and list print')
    .action(revoke)
  return command
}

/** Lists each scope with the contract's description. */
function scopeHelp(): string {
  const width = Math.max(...allScopes.map((scope) => scope.length))
  return ['', 'Scopes:', ...allScopes.map((scope) => `  ${scope.padEnd(width)}  ${scopes[scope]}`)].join('\n')
}

async function mint(options: MintOptions): Promise<void> {
  const parsed = parseScopes(options.scopes)
  if ('unknown' in parsed) {
    const named = parsed.unknown.length > 0 ? `There is no scope ${parsed.unknown.join(', ')}. ` : ''
    throw new UsageError(`${named}--scopes takes a comma-separated list of: reads, ${allScopes.join(', ')}`)
  }
  if (options.rate !== undefined && !/^[1-9]\d{0,6}$/.test(options.rate))
    throw new UsageError('--rate must be a whole number above 0')
  const expires_at = options.expires === undefined ? null : instantOf(options.expires)
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, options.clinic)
    const minted = await mintKey(
      owner,
      {
        clinic_id,
        scopes: parsed.scopes,
        name: options.name,
        expires_at,
        rate_limit: options.rate === undefined ? null : Number(options.rate),
        networks: options.networks?.split(',').map((one) => one.trim()) ?? null,
        integration_id: options.integration ?? null,
        now: new Date(),
      },
      asAudited(clinic_id, 'operator.keys.mint'),
    ).catch(refused)
    const { id, key, scopes } = minted
    if (options.json) printJson({ id, key, clinic_id, scopes })
    else process.stdout.write(`${key}\n`)
  })
}

/** @throws UsageError for an integration that the clinic does not have, or that is stopped, also one with the name of the key. */
function refused(error: unknown): never {
  const slug = error instanceof Problem ? error.slug : null
  if (slug === 'unprocessable')
    throw new UsageError('the clinic has no integration with this id; clinicd integrations list shows all')
  if (slug === 'conflict') throw new UsageError('the integration is stopped; clinicd integrations resume undoes that')
  throw error
}

async function revoke(id: string, { clinic, json }: { clinic: string; json?: boolean }): Promise<void> {
  await asOperator(async (owner) => {
    const clinicSession = await requireClinic(owner, clinic, { even: 'deleted' })
    const { clinic_id } = clinicSession
    const beside = asAudited(clinic_id, 'operator.keys.revoke')
    const revoked = await revokeKey(owner, { clinic_id, id, now: new Date() }, undefined, beside)
    const webhooks = await madeBy(owner, clinicSession, id)
    if (json) printJson({ ...revoked, webhooks })
    else for (const line of [`Revoked the key ${id}.`, ...webhooks.map(goesOn)]) printLine(line)
  })
}

/** A webhook is the clinic's: it outlives its key until somebody stops it, with another key that holds `webhooks:manage`. */
function goesOn({ id, url }: MadeSubscription): string {
  return `The webhook ${id} that it made goes on sending to ${url}. To pause it: sc webhooks update ${id} --enabled false. To delete it: sc webhooks delete ${id}.`
}

function instantOf(text: string): Date {
  if (!isInstant(text) || !(Date.parse(text) > Date.now())) {
    throw new UsageError('--expires must be a future instant with offset, for example 2027-01-31T00:00:00Z')
  }
  return new Date(text)
}
