// `clinicd ingest-tokens mint|list|revoke`: the tokens of a clinic's own systems for the private listener.
import {
  listIngestTokens,
  mintIngestToken,
  revokeIngestToken,
} from '@clinic-data/administration/credentials/ingest-tokens'
import { Command } from 'commander'
import { asAudited, asOperator, requireClinic } from '../operator.ts'
import { printJson, printRows } from '../output.ts'
import { ofClinic } from './of-clinic.ts'

const COLUMNS = ['id', 'name', 'first_characters', 'last_characters', 'created_at', 'revoked_at']

interface Options {
  clinic: string
  name: string
  json?: boolean
}

export function ingestTokensCommand(): Command {
  const command = new Command('ingest-tokens')
    .description("Mint, list and revoke the tokens of a clinic's own systems.")
    .addHelpText('after', '\nWhat these systems do with them: docs/ingest.md.')
  const subcommand = ofClinic(command)
  subcommand('mint', 'Mint a token. Its plaintext is printed once and stored nowhere.')
    .option('--name <name>', 'the system that uses it', 'unnamed')
    .action(mint)
  subcommand('list', 'List the tokens of a clinic, with their first and last characters.').action(list)
  subcommand('revoke', 'Revoke a token. It is refused from now on.')
    .argument('<token id>', 'the id that mint and list print')
    .action(revoke)
  return command
}

async function mint({ clinic, name, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    const { id, token } = await mintIngestToken(
      owner,
      { clinic_id, name, now: new Date() },
      asAudited(clinic_id, 'operator.ingest_tokens.mint'),
    )
    if (json) printJson({ id, token, clinic_id })
    else process.stdout.write(`${token}\n`)
  })
}

async function list({ clinic, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic, { even: 'deleted' })
    printRows(await listIngestTokens(owner, clinic_id), COLUMNS, json)
  })
}

async function revoke(id: string, { clinic, json }: Options): Promise<void> {
  await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic, { even: 'deleted' })
    const revoked = await revokeIngestToken(
      owner,
      { clinic_id, id, now: new Date() },
      asAudited(clinic_id, 'operator.ingest_tokens.revoke'),
    )
    if (json) printJson(revoked)
    else process.stdout.write(`Revoked the ingest token ${id}.\n`)
  })
}
