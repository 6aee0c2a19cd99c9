// `clinicd audit verify`: recomputes the chain over a clinic's audit log and names the first seal that does not fit.
import { verifyAudit } from '@clinic-data/backend/audit-seal'
import { Command } from 'commander'
import { asOperator, requireClinic } from '../operator.ts'
import { printJson } from '../output.ts'

export function auditCommand(): Command {
  const command = new Command('audit').description("Check a clinic's audit log.")
  command
    .command('verify')
    .description('Recompute the hash chain over the audit rows. Exit 1 when a row was changed, removed or slipped in.')
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--json', 'print JSON')
    .action(verify)
  return command
}

async function verify({ clinic, json }: { clinic: string; json?: boolean }): Promise<void> {
  const verdict = await asOperator(async (owner) => {
    const { clinic_id } = await requireClinic(owner, clinic)
    return verifyAudit(owner, clinic_id, null)
  })
  if (json) printJson(verdict)
  else if (verdict.sound) process.stdout.write(`Sound: ${verdict.seals} seals over ${verdict.rows} rows.\n`)
  else process.stdout.write(`Not sound: seal ${verdict.number}: ${verdict.reason}.\n`)
  if (!verdict.sound) process.exitCode = 1
}
