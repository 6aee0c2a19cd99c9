// A dispatcher is killed (-9) amid a burst, beside another one or alone and started again: how long until the last delivery arrives, and
// which never arrive or arrive twice.
//
//   node bench/webhook-crashes.ts [--runs 3] [--events 1000]    makes a new database
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Clinic } from '@clinic-data/contract'
import { openDatabase } from '@clinic-data/database'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import { openBenchDatabase } from './bench-database.ts'
import { report as reportGoal } from './goal.ts'
import { CLINICS, HEALTHY_PER_CLINIC, happen, prepare, reset, secretKeys } from './webhook-ground.ts'
import type { ReceiverRequest, Report } from './webhook-receiver.ts'
import { median } from './wrk.ts'

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, events: { type: 'string', default: '1000' } },
})
const EVENTS = Number(options.events)
const EXPECTED = EVENTS * HEALTHY_PER_CLINIC
const AT_ONCE = 50
/** Late, so that what the kill costs is not hidden by what is left of the burst. */
const KILLED_AT = 0.9
/** A dispatcher judges others when it has beaten for 3.5 s. */
const SETTLING_MS = 5_000
/** Longer than a lease. */
const PATIENCE_MS = 75_000
const POLL_MS = 20

const dataDir = await mkdtemp(join(tmpdir(), 'clinic-data-bench-'))
const { server, owner, close } = await openBenchDatabase(dataDir)
const app = await openDatabase({ url: server.appUrl, ownerUrl: server.ownerUrl })
const wakeUp = new WakeUp(app)
const receiver = fork(join(import.meta.dirname, 'webhook-receiver.ts'), [String(CLINICS * HEALTHY_PER_CLINIC)])
try {
  const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }]
  const origins = ports.map((port) => `http://127.0.0.1:${port}`)
  const clinics = await prepare(owner, origins)
  process.stdout.write(
    '| killed | last arrival after the kill (s) | the rest at the pace before the kill (s) | lost | twice | had arrived | load |\n|---|---|---|---|---|---|---|\n',
  )
  const beside: number[] = []
  for (let run = 0; run < Number(options.runs); run++) {
    for (const dispatchers of [2, 1]) {
      await reset(owner, clinics, origins, [])
      const seconds = await crash(clinics, dispatchers)
      if (dispatchers === 2) beside.push(seconds)
    }
  }
  reportGoal({
    name: `from the kill of one of two dispatchers amid ${EXPECTED} deliveries to the last arrival`,
    value: median(beside),
    unit: 's',
    limit: { atMost: 5 },
  })
} finally {
  receiver.kill()
  await app.close()
  await close()
  await rm(dataDir, { recursive: true })
}

/** @returns seconds from the kill to the last arrival */
async function crash(clinics: readonly Clinic[], dispatchers: number): Promise<number> {
  const senders = await Promise.all(Array.from({ length: dispatchers }, startSender))
  try {
    await delay(SETTLING_MS)
    await ask({ ask: 'begin', since: Date.now() })
    const startedAt = Date.now()
    const emitted = emitAll(clinics)
    const atKill = await arrival(EXPECTED * KILLED_AT)
    const [killed] = senders.splice(0, 1)
    const killedAt = Date.now()
    await kill(killed)
    if (senders.length === 0) senders.push(await startSender())
    await emitted
    await arrival(EXPECTED)
    const { latenciesMs, duplicates, lastAt } = (await ask({ ask: 'report' })) as Report
    const seconds = (lastAt - killedAt) / 1000
    const pace = ((killedAt - startedAt) * (EXPECTED - atKill)) / atKill / 1000
    const cells = [
      dispatchers === 2 ? 'beside another' : 'alone, started again',
      ...[seconds.toFixed(1), pace.toFixed(1), EXPECTED - latenciesMs.length, duplicates, atKill],
      loadavg()[0]?.toFixed(1),
    ]
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
    return seconds
  } finally {
    for (const sender of senders) await kill(sender)
  }
}

async function startSender(): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'webhook-sender.ts')
  const sender = fork(program, ['lanes', server.appUrl, server.ownerUrl, secretKeys])
  await once(sender, 'message')
  return sender
}

async function kill(sender: ChildProcess | undefined): Promise<void> {
  if (sender === undefined || sender.exitCode !== null || sender.signalCode !== null) return
  sender.kill('SIGKILL')
  await once(sender, 'exit')
}

async function emitAll(clinics: readonly Clinic[]): Promise<void> {
  await Promise.all(
    clinics.map(async (clinic) => {
      for (let left = EVENTS / clinics.length; left > 0; left -= AT_ONCE) {
        await happen(app, clinic, Math.min(left, AT_ONCE), new Date())
        wakeUp.tell(clinic.clinic_id)
      }
    }),
  )
}

/** Resolves with the number of arrivals when it is this high, or the wait is over. */
async function arrival(expected: number): Promise<number> {
  const endsAt = Date.now() + PATIENCE_MS
  for (;;) {
    const { count } = (await ask({ ask: 'count' })) as { count: number }
    if (count >= expected || Date.now() > endsAt) return count
    await delay(POLL_MS)
  }
}

async function ask(question: ReceiverRequest): Promise<unknown> {
  const answered = once(receiver, 'message')
  receiver.send(question)
  const [answer] = await answered
  return answer
}
