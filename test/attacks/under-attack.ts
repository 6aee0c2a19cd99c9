// Measures one attack: its effect on another clinic, and its cost for the attacked process.
//
//   await withstood(async () => {
//     const figures = await underAttack(service, { name: 'pipelining', attack: (signal) => … })
//     assertUnhindered(figures)
//     assertMemory(figures, 100)
//   })
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type AttackedService, residentMb } from './attacked-service.ts'
import { serverBeside } from './server-beside.ts'
import { type Steadiness, type SteadyOptions, steadyClient } from './steady-client.ts'

export interface Attack {
  name: string
  /** Continues until the signal fires, and ends soon after. */
  attack: (signal: AbortSignal) => Promise<unknown>
  seconds?: number
  /** The client that must not be slowed. Default: a read of the other clinic. */
  steady?: Partial<SteadyOptions>
}

export interface Figures {
  quiet: Steadiness
  attacked: Steadiness
  /** The same for a server that nobody attacks, beside the service: the machine's own effect on an answer. */
  beside: Steadiness
  /** The memory of all processes of the service together. Before is before the first round: what one round keeps counts in the next one. */
  memory: { beforeMb: number; mostMb: number; afterMb: number }
}

/** An attack shows in its first seconds what it does to others. */
const SECONDS = 6
const QUIET_SECONDS = 2
const SAMPLE_MS = 50
/** Below this a p99 says more about the machine than about the service. */
const FLOOR_MS = 60

const ROUNDS = 4

/** From here on the service itself sheds requests because its event loop is late. The server beside it is not attacked. */
const STARVED_MS = 500

/** The service took this before the first round of an attack, by the attack's name. */
const firstMb = new Map<string, number>()

class StarvedMachine extends Error {}

/**
 * A busy machine can spoil one round, but a weakness spoils every round. So one good round is enough. If no round
 * had a processor to spare, the figures are printed and not judged.
 */
export async function withstood(round: () => Promise<void>): Promise<void> {
  const errors: Error[] = []
  while (errors.length < ROUNDS) {
    try {
      return await round()
    } catch (error) {
      errors.push(error as Error)
      process.stdout.write(`round ${errors.length} of ${ROUNDS}: ${(error as Error).message}\n`)
    }
  }
  const fault = errors.find((error) => !(error instanceof StarvedMachine))
  if (fault !== undefined) throw fault
  process.stdout.write('not judged: the machine was too busy in each round\n')
}

/** Runs the attack, prints its figures, and returns them. */
export async function underAttack(
  service: AttackedService,
  { name, attack, seconds = SECONDS, steady = {} }: Attack,
): Promise<Figures> {
  const asking = {
    url: `${service.address}/v1/patients?limit=5`,
    key: service.other.key,
    localAddress: '127.0.0.2',
    ...steady,
  }
  // Warms up first: early requests would measure the start.
  await measured(asking, () => delay(1_000))
  const quiet = await measured(asking, () => delay(QUIET_SECONDS * 1000))
  const watched = [...new Set([service.gateway, service.backend])]
  const isRunning = () => watched.every((one) => one.exitCode() === null)
  const resident = () => watched.reduce((sum, one) => sum + residentMb(one), 0)
  const beforeMb = firstMb.get(name) ?? resident()
  firstMb.set(name, beforeMb)
  const memory = { beforeMb, mostMb: resident(), afterMb: 0 }
  const server = await serverBeside()
  const clientBeside = steadyClient({ url: server.url })
  const sampler = setInterval(() => {
    if (isRunning()) memory.mostMb = Math.max(memory.mostMb, resident())
  }, SAMPLE_MS)
  try {
    const attacked = await measured(asking, () => attack(AbortSignal.timeout(seconds * 1000)))
    assert.ok(isRunning(), 'the attack has ended a process')
    memory.afterMb = resident()
    memory.mostMb = Math.max(memory.mostMb, memory.afterMb)
    const figures = { quiet, attacked, beside: await clientBeside.stop(), memory }
    print(name, figures)
    return figures
  } finally {
    clearInterval(sampler)
    await clientBeside.stop()
    await server.stop()
  }
}

async function measured(asking: SteadyOptions, during: () => Promise<unknown>): Promise<Steadiness> {
  const client = steadyClient(asking)
  try {
    await during()
  } catch (error) {
    await client.stop()
    throw error
  }
  return client.stop()
}

function print(name: string, { quiet, attacked, beside, memory }: Figures): void {
  const ms = ({ p50, p99, worst }: Steadiness) =>
    `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, worst ${worst.toFixed(0)} ms`
  process.stdout.write(
    `${name}: another's requests ${ms(quiet)} when it is quiet; ${ms(attacked)} under attack, ${JSON.stringify(attacked.statuses)}; ` +
      `an idle server beside it p99 ${beside.p99.toFixed(1)} ms; ` +
      `memory ${memory.beforeMb.toFixed(0)} MB before, ${memory.mostMb.toFixed(0)} at most, ${memory.afterMb.toFixed(0)} after\n`,
  )
}

/**
 * Asserts that every request of the other clinic got 200, and that 99 of 100 took at most this multiple of their quiet time, or of
 * an idle server's time during the attack.
 */
export function assertUnhindered({ quiet, attacked, beside }: Figures, { times = 3, floorMs = FLOOR_MS } = {}): void {
  const idle = Math.max(quiet.p99, beside.p99)
  if (idle > STARVED_MS) throw new StarvedMachine(`what is idle took ${idle.toFixed(0)} ms: the machine is too busy`)
  assert.equal(Object.keys(attacked.statuses).join(), '200', JSON.stringify(attacked.statuses))
  const bound = Math.max(floorMs, idle * times)
  assert.ok(
    attacked.p99 <= bound,
    `p99 ${attacked.p99.toFixed(1)} ms under attack, the bound is ${bound.toFixed(1)} ms`,
  )
}

export function assertMemory({ memory: { beforeMb, mostMb } }: Figures, growthMb: number): void {
  const growth = mostMb - beforeMb
  assert.ok(growth <= growthMb, `the attacked service took ${growth.toFixed(0)} MB more, the bound is ${growthMb} MB`)
}
