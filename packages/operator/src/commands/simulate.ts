// `clinicd simulate --clinic <id>`: simulates a clinic, and sends what happens there to a running service.
import { setTimeout as delay } from 'node:timers/promises'
import type { RunReport } from '@clinic-data/demo/simulator/run-simulation'
import { readConfig } from '@clinic-data/installation/config'
import { Command } from 'commander'
import { asOperator, requireClinic } from '../operator.ts'
import { printFault, printJson } from '../output.ts'
import { Progress } from '../progress.ts'
import { stopSignal } from '../stop-signal.ts'
import { UsageError } from '../usage-error.ts'

interface Options {
  clinic: string
  rate: string
  for?: string
  seed: string
  json?: boolean
}

/** More than happens in any clinic. The service could take more. */
const MOST_A_SECOND = 1_000

export function simulateCommand(): Command {
  return new Command('simulate')
    .summary('Simulate the daily activity of a clinic on a running service.')
    .description(
      'Simulate the daily activity of a clinic: appointments, treatments, payments, calls and chats. Sends it to the ingest API of a running service, and at the end compares what is stored with what was sent. Exit 1 when it differs.',
    )
    .requiredOption('--clinic <id>', 'the clinic')
    .option('--rate <rate>', 'changes per second, for example 5/s', '5/s')
    .option('--for <time>', 'for example 90s or 10m; default: until Ctrl-C')
    .option('--seed <number>', 'the same seed simulates the same story', '1')
    .option('--json', 'print JSON')
    .action(run)
}

/** @example rateOf('5/s') // 5 @throws UsageError */
export function rateOf(text: string): number {
  const rate = Number(/^(\d{1,4}(?:\.\d{1,3})?)\/s$/.exec(text)?.[1] ?? 0)
  if (!(rate > 0 && rate <= MOST_A_SECOND)) throw new UsageError('--rate must be a number per second, for example 5/s')
  return rate
}

async function run({ clinic: clinic_id, rate, for: time, seed, json }: Options): Promise<void> {
  const [perSecond, seconds] = [rateOf(rate), time === undefined ? null : secondsOf(time)]
  if (!/^\d{1,9}$/.test(seed)) throw new UsageError('--seed must be a whole number')
  const { adminHost, adminPort } = readConfig()
  const address = `http://${adminHost.includes(':') ? `[${adminHost}]` : adminHost}:${adminPort}`
  await requireService(address)
  await asOperator(async (owner) => {
    const clinic = await requireClinic(owner, clinic_id)
    const { runSimulation } = await import('@clinic-data/demo/simulator/run-simulation')
    const progress = new Progress()
    const signal = stopSignal()
    const report = await runSimulation({
      owner,
      clinic,
      address,
      rate: perSecond,
      seconds,
      seed: Number(seed),
      signal,
      wait: (ms) => delay(ms, undefined, { signal }).catch(() => undefined),
      onAction: (done) => progress.show(`${done} things have happened`),
    })
    progress.end()
    if (json) printJson(report)
    else printReport(report)
    if (report.faults.length > 0) process.exitCode = 1
  })
}

function secondsOf(text: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? []
  const seconds = Number(number ?? 0) * { s: 1, m: 60, h: 3600 }[(unit ?? 's') as 's' | 'm' | 'h']
  if (seconds === 0) throw new UsageError('--for must be a time such as 90s, 10m or 2h')
  return seconds
}

async function requireService(address: string): Promise<void> {
  const answer = await fetch(`${address}/healthz`).catch(() => null)
  if (!answer?.ok) {
    throw new UsageError(`no service answers at ${address}; start one with: clinicd serve (ADMIN_HOST, ADMIN_PORT)`)
  }
}

function printReport({ done, events, compared, faults }: RunReport): void {
  process.stdout.write(`${done} things have happened\n`)
  for (const [type, count] of Object.entries(events)) process.stdout.write(`${String(count).padStart(8)}  ${type}\n`)
  process.stdout.write(
    faults.length === 0 ? `consistent: ${compared} records are as they were told\n` : `${faults.length} faults\n`,
  )
  for (const fault of faults) printFault(fault)
}
