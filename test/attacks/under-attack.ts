// One attack, measured: what another clinic notices of it, and what it costs the attacked process.
//
//   const figures = await underAttack(service, { name: 'pipelining', attack: (signal) => … })
//   assertUnhindered(figures)
//   assertMemory(figures, 100)
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type AttackedService, residentMb, type ServiceProcess } from './attacked-service.ts'
import { type Steadiness, type SteadyOptions, steadyClient } from './steady-client.ts'

export interface Attack {
  name: string
  /** Goes on until the signal fires, and ends soon after. */
  attack: (signal: AbortSignal) => Promise<unknown>
  seconds?: number
  /** Who must not notice; a read of the other clinic unless named. */
  steady?: Partial<SteadyOptions>
  /** Whose memory is watched: the public listener's unless named. */
  process?: ServiceProcess
}

export interface Figures {
  quiet: Steadiness
  attacked: Steadiness
  memory: { beforeMb: number; mostMb: number; afterMb: number }
}

const SECONDS = 8
const QUIET_SECONDS = 4
const SAMPLE_MS = 50
/** What a busy machine does to a p99 of a few milliseconds without any attack. */
const FLOOR_MS = 60

/** Runs the attack, prints what it did, and returns it. */
export async function underAttack(
  service: AttackedService,
  { name, attack, seconds = SECONDS, steady = {}, process = service.gateway }: Attack,
): Promise<Figures> {
  const asking = {
    url: `${service.address}/v1/patients?limit=5`,
    key: service.other.key,
    localAddress: '127.0.0.2',
    ...steady,
  }
  // Compiled, connected, in the caches: the first requests measure the start.
  await measured(asking, () => delay(1_000))
  const quiet = await measured(asking, () => delay(QUIET_SECONDS * 1000))
  const memory = { beforeMb: residentMb(process), mostMb: 0, afterMb: 0 }
  const sampler = setInterval(() => {
    if (process.exitCode() === null) memory.mostMb = Math.max(memory.mostMb, residentMb(process))
  }, SAMPLE_MS)
  try {
    const attacked = await measured(asking, () => attack(AbortSignal.timeout(seconds * 1000)))
    assert.equal(process.exitCode(), null, 'the attack has ended the process')
    memory.afterMb = residentMb(process)
    const figures = { quiet, attacked, memory }
    print(name, figures)
    return figures
  } finally {
    clearInterval(sampler)
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

function print(name: string, { quiet, attacked, memory }: Figures): void {
  const ms = ({ p50, p99, worst }: Steadiness) =>
    `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, worst ${worst.toFixed(0)} ms`
  process.stdout.write(
    `${name}: another's requests ${ms(quiet)} when it is quiet; ${ms(attacked)} under attack, ${JSON.stringify(attacked.statuses)}; ` +
      `memory ${memory.beforeMb.toFixed(0)} MB before, ${memory.mostMb.toFixed(0)} at most, ${memory.afterMb.toFixed(0)} after\n`,
  )
}

/** Every request of the other was answered 200, and 99 of 100 within so many times what they take when it is quiet. */
export function assertUnhindered({ quiet, attacked }: Figures, { times = 3, floorMs = FLOOR_MS } = {}): void {
  assert.deepEqual(Object.keys(attacked.statuses), ['200'], JSON.stringify(attacked.statuses))
  const bound = Math.max(floorMs, quiet.p99 * times)
  assert.ok(
    attacked.p99 <= bound,
    `p99 ${attacked.p99.toFixed(1)} ms under attack, the bound is ${bound.toFixed(1)} ms`,
  )
}

export function assertMemory({ memory: { beforeMb, mostMb } }: Figures, growthMb: number): void {
  const growth = mostMb - beforeMb
  assert.ok(growth <= growthMb, `the attacked process took ${growth.toFixed(0)} MB more, the bound is ${growthMb} MB`)
}
