// Defines what a scenario asks of either side, and the two of them: our engine, and a sender that is built on a peer's queue.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { newWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { sql } from '@clinic-data/database'
import { eventBody } from '@clinic-data/webhooks/events/event-body'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import { type Bad, dataOf, HEALTHY_PER_CLINIC, happenNumbered, reset, secretKeys } from '../webhook-ground.ts'
import { groupOf, type Job, type OpenOptions, type Queue } from './queue.ts'
import type { QueueGround } from './queue-ground.ts'
import { queuePeers } from './queue-peers.ts'
import type { QueueTarget } from './queue-sender.ts'
import { postgresStore, type QueueStore } from './queue-store.ts'

export interface Side {
  /** It keeps the deliveries. */
  readonly store: QueueStore
  /** Empties everything. @param bad an endpoint beside the healthy ones, with deliveries that wait for it. */
  begin(bad: Bad | null): Promise<void>
  /** Starts the program that sends. Resolves when it is ready. */
  startSender(): Promise<ChildProcess>
  /** Starts a program that takes events in and sends nothing. Null: this program stores them. */
  startIntake(): Promise<ChildProcess | null>
  /** Stores events with these numbers. Resolves when an API would acknowledge them. */
  add(clinic: number, numbers: readonly number[], at: Date): Promise<void>
  /** The number of deliveries that are not done. */
  unfinished(): Promise<number>
  end(): Promise<void>
}

export function ourSide(ground: QueueGround): Side {
  const { server, app, owner, clinics, origins } = ground
  const wakeUp = new WakeUp(app)
  return {
    store: postgresStore(ground),
    begin: (bad) => reset(owner, clinics, origins, bad === null ? [] : [bad]),
    startSender: () => start('../webhook-sender.ts', ['lanes', server.appUrl, server.ownerUrl, secretKeys]),
    startIntake: async () => null,
    async add(clinic, numbers, at) {
      const added = clinics[clinic] as Clinic
      await happenNumbered(app, added, numbers, at)
      wakeUp.tell(added.clinic_id)
    },
    async unfinished() {
      const counted = sql`select count(*)::int as count from delivery where status = 'pending'`
      return (await owner.query<{ count: number }>(counted)).rows[0]?.count ?? 0
    },
    end: async () => undefined,
  }
}

/** The subscription whose endpoint is bad, beside the healthy ones of the first clinic. */
export const BAD = { clinic: 0, subscription: HEALTHY_PER_CLINIC }
/** Jobs that are added together. */
const MOST_ADDED = 500

export function peerSide(
  { clinics, origins }: QueueGround,
  { name, options, store }: { name: string; options: OpenOptions; store: QueueStore },
): Side {
  let bad: Bad | null = null
  let queue: Queue | undefined
  const opened = () => {
    if (queue === undefined) throw new Error('the queue is not open')
    return queue
  }
  const add = async (
    clinic: number,
    bodies: readonly { id: string; body: string }[],
    subscriptions: readonly number[],
  ) => {
    const jobs = bodies.flatMap(({ id, body }) =>
      subscriptions.map((subscription): Job => ({ clinic, subscription, event_id: id, body })),
    )
    await opened().add(jobs)
  }
  const healthy = Array.from({ length: HEALTHY_PER_CLINIC }, (_, subscription) => subscription)
  return {
    store,
    async begin(withBad) {
      bad = withBad
      await queue?.close()
      await store.empty()
      queue = await queuePeers[name]?.open(options)
      for (let left = bad?.backlog ?? 0; left > 0; left -= MOST_ADDED) {
        const numbers = Array.from({ length: Math.min(left, MOST_ADDED) }, (_, i) => i)
        await add(BAD.clinic, bodiesOf(clinics[BAD.clinic] as Clinic, numbers, new Date(0)), [BAD.subscription])
      }
    },
    startSender: () =>
      start('queue-sender.ts', [
        ...[name, options.folder, options.address],
        ...[JSON.stringify(options.settings), JSON.stringify(targetsOf(clinics, origins, bad))],
      ]),
    startIntake: async () => null,
    add(clinic, numbers, at) {
      const subscriptions = bad !== null && clinic === BAD.clinic ? [...healthy, BAD.subscription] : healthy
      return add(clinic, bodiesOf(clinics[clinic] as Clinic, numbers, at), subscriptions)
    },
    unfinished: () => opened().unfinished(),
    end: async () => queue?.close(),
  }
}

/** Events of 1 KB with new ids. */
export function bodiesOf(clinic: Clinic, numbers: readonly number[], at: Date): { id: string; body: string }[] {
  return numbers.map((number) => {
    const id = newId('evt', at)
    return { id, body: eventBody({ id, type: 'appointment.created', data: dataOf(number) }, clinic, at) }
  })
}

function targetsOf(
  clinics: readonly Clinic[],
  origins: readonly string[],
  bad: Bad | null,
): Record<string, QueueTarget> {
  const targets: Record<string, QueueTarget> = {}
  for (const clinic of clinics.keys()) {
    for (let subscription = 0; subscription < HEALTHY_PER_CLINIC; subscription++) {
      const url = `${origins[clinic * HEALTHY_PER_CLINIC + subscription]}/healthy/${clinic}-${subscription}`
      targets[groupOf({ clinic, subscription })] = { url, secret: newWebhookSecret() }
    }
  }
  if (bad !== null) targets[groupOf(BAD)] = { url: `${origins.at(-1)}/${bad.behaviour}/0`, secret: newWebhookSecret() }
  return targets
}

async function start(file: string, args: readonly string[]): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, file), args)
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} has ended`))),
  ])
  return child
}
