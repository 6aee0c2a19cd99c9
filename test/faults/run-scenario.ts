// Runs a scenario: a service under load, broken in each round, then left in peace, and its history checked.
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@clinic-data/database'
import { clinicToWriteTo, faultOfChain } from '@clinic-data/testing/grounds/crash-load'
import { checkHistory, LATEST_START_MS } from './check-history.ts'
import { Clients } from './clients.ts'
import type { Entry, Stored } from './history.ts'
import { openOwner } from './processes.ts'
import { startReceiver } from './receiver.ts'
import { asking } from './requests.ts'
import type { Scenario, Stage } from './scenario.ts'
import { Seeded } from './seeded.ts'
import { endLeases, storedState, waitingDeliveries } from './stored-state.ts'

interface Load {
  /** Acknowledged writes between two faults: at least and at most. */
  readonly apart: readonly [number, number]
  /** And after the last one. */
  readonly afterwards: number
  readonly latestStartMs: number
}
const FULL: Load = { apart: [25, 120], afterwards: 60, latestStartMs: LATEST_START_MS }
/** A machine that runs other tests too may be late: an end that is never kept is still seen. */
const SMALL: Load = { apart: [8, 20], afterwards: 12, latestStartMs: 20_000 }
/** How long the service may take to answer again, on a busy machine. */
const BACK_WITHIN_MS = 120_000
/** A lease of 45 s, a retry after 35 s, and time to send everything. */
const REST_WITHIN_MS = 150_000
const LOOK_AGAIN_MS = 50
const MOST_LOGGED = 20

export interface RunOptions {
  readonly seed: number
  readonly rounds: number
  /** Does not wait for the leases of killed dispatchers. */
  readonly isHurried: boolean
  /** As little load as shows each kind of violation. */
  readonly isSmall?: true
  /** Ends the run before its end, and leaves nothing behind. */
  readonly signal?: AbortSignal
}

export interface Outcome {
  readonly rounds: number
  readonly acknowledged: number
  readonly unknown: number
  readonly deliveries: number
  /** The longest time without an acknowledged write, in ms. */
  readonly longestPauseMs: number
  /** They say what was lost, doubled or wrong. */
  readonly violations: readonly string[]
  /** The latest errors in the logs of the service. */
  readonly logged: readonly string[]
}

export async function runScenario(
  scenario: Pick<Scenario, 'name' | 'isHidden' | 'open'>,
  options: RunOptions,
): Promise<Outcome> {
  const { seed, rounds, signal } = options
  const load = options.isSmall ? SMALL : FULL
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), `faults-${scenario.name}-`))
  // The embedded server runs under another account.
  await chmod(folder, 0o755)
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const history: Entry[] = []
  const violations: string[] = []
  const logged: string[] = []
  const random = new Seeded(seed)
  let clinic_id = ''
  const stage: Stage = {
    folder,
    history,
    random: random.fork(),
    secretKeys: `t:${randomBytes(32).toString('base64')}`,
    clinic: () => clinic_id,
    log: (line) => logged.push(line),
    tell: (text) => violations.push(text),
    defer: (undo) => opened.defer(async () => void (await undo())),
  }
  const site = await scenario.open(stage)
  const owner = await openOwner(site.ownerUrl)
  opened.defer(() => owner.close())
  const note = (entry: Entry) => void history.push(entry)
  const receiver = await startReceiver(note)
  opened.defer(() => receiver.close())
  const clinic = await clinicToWriteTo(owner)
  clinic_id = clinic.clinic_id
  const ask = asking(() => site.address(), note, scenario.isHidden !== true)
  const clients = new Clients({ ask, note, clinic, receiver, owner, random: random.fork() })
  await clients.subscribe('all', [])
  await clients.subscribe('payments', ['payment.recorded'])

  clients.start()
  for (let round = 0; round < rounds; round++) {
    await clients.further(random.between(...load.apart), BACK_WITHIN_MS)
    signal?.throwIfAborted()
    await delay(random.between(0, 30))
    await site.fault(round)
  }
  await clients.further(load.afterwards, BACK_WITHIN_MS)
  await clients.stop()
  await rest(owner, clinic_id, options)

  const seen = history.length
  const stored = await storedState(owner, clinic_id)
  await rest(owner, clinic_id, options)
  const found = checkHistory(withoutLaterEvents(history, seen, stored), stored, load.latestStartMs)
  const broken = await faultOfChain(owner, clinic_id, stage.secretKeys)
  return {
    ...figures(history),
    rounds,
    logged: logged.slice(-MOST_LOGGED),
    violations: [
      ...violations,
      ...found.map(({ kind, text }) => `${kind}: ${text}`),
      ...(broken === null ? [] : [`unsound audit chain: ${broken}`]),
    ],
  }
}

/** Waits until no delivery waits any more. What still waits in the end is for the checker to find. */
async function rest(owner: Database, clinic_id: string, { isHurried, signal }: RunOptions): Promise<void> {
  const endsAt = performance.now() + REST_WITHIN_MS
  if (isHurried) await endLeases(owner, clinic_id)
  while ((await waitingDeliveries(owner, clinic_id)) > 0 && performance.now() < endsAt) {
    signal?.throwIfAborted()
    await delay(LOOK_AGAIN_MS)
  }
}

/** Messages go on to be delivered and read: what came of that after the state was read is not in it. */
function withoutLaterEvents(history: readonly Entry[], seen: number, { events }: Stored): readonly Entry[] {
  const known = new Set(events.map(({ id }) => id))
  return history.filter((one, at) => at < seen || one.entry !== 'delivery' || known.has(one.event))
}

function figures(history: readonly Entry[]) {
  const writes = history.filter((one) => one.entry === 'write')
  const times = writes.filter(({ result }) => result === 'ok').map(({ endedAt }) => endedAt)
  times.sort((one, other) => one - other)
  return {
    acknowledged: times.length,
    unknown: writes.filter(({ result }) => result === 'unknown').length,
    deliveries: history.filter((one) => one.entry === 'delivery').length,
    longestPauseMs: Math.max(0, ...times.map((at, n) => at - (times[n - 1] ?? at))),
  }
}
