// An upgrade of two machines behind nginx, one after the other as docs/pair.md says it, the way back, and forward again, under a load that
// never stops: no client notices it, and nothing is lost, doubled or left out.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Database, openDatabase, sql } from '@clinic-data/database'
import { assertChainSound, clinicWithoutKey } from '@clinic-data/testing/grounds/crash-load'
import { newSecretKey, plainOwner, servers } from '@clinic-data/testing/programs/plain-server'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'
import { API, CONSOLE, FrontProxy, hasFront } from '../deploy/front-proxy.ts'
import { checkHistory } from '../faults/check-history.ts'
import type { Entry, Write } from '../faults/history.ts'
import { startReceiver } from '../faults/receiver.ts'
import { Seeded } from '../faults/seeded.ts'
import { storedState, waitingDeliveries } from '../faults/stored-state.ts'
import {
  buildConsole,
  bundledProgram,
  FORMER_SCOPES,
  type FormerProgram,
  formerProgram,
  NO_HISTORY,
  RELEASED,
} from './former-program.ts'
import { RollingClients } from './rolling-clients.ts'
import { Machines, type Program } from './rolling-machines.ts'

const run = promisify(execFile)
/** Clients repeat a request that fails. Without a limit they would do so for ever. */
const timeout = 600_000
/** So often the first attempt of a delivery fails: the retry may be another version's. */
const REFUSED = 0.05
const SUBSCRIPTION = 'all'
const skip = hasFront('nginx') ? false : 'no nginx on this machine'

/** The settings of both machines, as `docs/pair.md` has them. */
const settings = (DATABASE_URL: string, DATA_DIR: string) => ({
  DATABASE_URL,
  DATA_DIR,
  SECRET_KEYS: newSecretKey('a'),
  GATEWAYS: '2',
  BASE_URL: `https://${API}`,
  CONSOLE_URL: `https://${CONSOLE}`,
  TRUSTED_PROXIES: '127.0.0.1',
  WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
})
type Settings = ReturnType<typeof settings>

for (const [version, commit] of Object.entries(RELEASED)) {
  test(`two machines are upgraded from ${version} one by one, put back and upgraded again, and no client notices`, {
    skip,
    timeout,
  }, async (t) => {
    const program = await formerProgram(commit)
    if (program === null) return t.skip(NO_HISTORY)
    buildConsole(program)
    await using opened = new AsyncDisposableStack()
    const database = await plainOwner(servers['PostgreSQL 18'].start)
    opened.defer(async () => void (await database.stop()))
    const environment = settings(database.url, program.folder)
    await formerly(program, environment, 'migrate')
    const owner = await openDatabase({ url: database.superUrl, statementTimeoutMs: 0 })
    opened.defer(() => owner.close())
    await assertTables(owner, program)
    const clinic_id = await clinicWithoutKey(owner)
    const mint = ['keys', 'mint', '--clinic', clinic_id, '--scopes', FORMER_SCOPES, '--rate', '1000000']
    const key = (await formerly(program, environment, ...mint)).trim()

    const former: Program = { version: 'former', path: await bundledProgram(program), environment }
    const today: Program = { version: 'today', environment }
    const machines = await Machines.start(former)
    const front = await FrontProxy.start('nginx', ...machines.all)
    opened.defer(() => front.stop())

    const random = new Seeded(Number(process.env.TEST_SEED))
    const history: Entry[] = []
    const note = (entry: Entry) => void history.push(entry)
    const clients = new RollingClients({ front, key, note, random: random.fork() })
    const webhook = await startWebhook(clients, note, random.fork())
    opened.defer(() => webhook.close())
    clients.start()
    opened.defer(() => clients.stop())
    const roll = async () => {
      await machines.bothAnswer()
      const { code, out, errors } = await operator.run(['migrate'], environment)
      assert.equal(code, 0, out + errors)
      await machines.bothAnswer()
      await webhook.move('former program, migrated tables')
      for (const program of [today, former, today]) {
        await machines.replace(program, () => webhook.move(`half ${program.version}`))
        await webhook.move(`all ${program.version}`)
      }
    }
    await clients.during(roll())
    await clients.stop()
    await until(
      async () => (await waitingDeliveries(owner, clinic_id)) === 0,
      () => 'deliveries still wait',
    )
    await machines.stop()

    const stored = await storedState(owner, clinic_id)
    const repeats = versionsOfRepeats(history, machines)
    t.diagnostic(JSON.stringify({ entries: history.length, events: stored.events.length, repeats }))
    // 0.1.0 closes the connections that nginx keeps at the moment of its stop: nginx sends such a write to the other machine.
    assert.deepEqual(clients.refusals, [])
    assert.deepEqual(clients.missingFiles, [])
    assert.ok(clients.consoleLoads > 0, 'nobody has opened the console')
    assert.deepEqual(checkHistory(history, stored), [])
    assert.deepEqual(
      clients.fed,
      stored.events.map(({ id }) => id),
    )
    const readers = new Set(clients.feedPages.map((page) => machines.versionOf(page)))
    assert.ok(readers.has('former') && readers.has('today'), 'one chain of cursors leads through both versions')
    assert.ok(repeats['former, today'] && repeats['today, former'], JSON.stringify(repeats))
    await assertChainSound({ owner }, clinic_id, environment.SECRET_KEYS)
    const verified = await operator.run(['audit', 'verify', '--clinic', clinic_id], environment)
    assert.equal(verified.code, 0, verified.out + verified.errors)
  })
}

/** An operator's command of the former program. */
async function formerly({ program }: FormerProgram, environment: Settings, ...argv: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ...environment }
  return (await run(process.execPath, [program, ...argv], { env })).stdout
}

async function assertTables(owner: Database, { migrations }: FormerProgram): Promise<void> {
  const { rows } = await owner.query<{ id: string }>(sql`select id from schema_migration`)
  assert.deepEqual(new Set(rows.map(({ id }) => id)), migrations)
}

/** A subscription to everything, whose address can change. */
async function startWebhook(clients: RollingClients, note: (entry: Entry) => void, random: Seeded) {
  const tried = new Set<string>()
  const places = new Set<string>()
  const receiver = await startReceiver(
    (delivery) => {
      places.add(delivery.subscription)
      note({ ...delivery, subscription: SUBSCRIPTION })
    },
    (event) => {
      if (tried.has(event)) return false
      tried.add(event)
      return random.happens(REFUSED)
    },
  )
  const { data, invokedAt, endedAt } = await clients.ask<{ id: string }>({
    method: 'POST',
    path: '/v1/webhooks',
    idempotencyKey: SUBSCRIPTION,
    body: { url: receiver.urlFor('first') },
  })
  note({ entry: 'subscribe', subscription: SUBSCRIPTION, types: [], result: 'ok', invokedAt, endedAt })
  return {
    /** Resolves when a delivery has come to the new address. */
    async move(stage: string): Promise<void> {
      const place = stage.replaceAll(/\W+/g, '-')
      const url = receiver.urlFor(place)
      const path = `/v1/webhooks/${data.id}`
      const changed = await clients.ask<{ url: string }>({ method: 'PATCH', path, body: { url } })
      assert.equal(changed.data.url, url)
      await until(
        async () => places.has(place),
        () => `${stage}: nothing comes to the new address`,
      )
    },
    close: () => receiver.close(),
  }
}

/** How often a version answered a request that another one, or the same, had answered first. */
function versionsOfRepeats(history: readonly Entry[], machines: Machines): Record<string, number> {
  const repeats: Record<string, number> = {}
  const writes = history.filter((one): one is Write => one.entry === 'write')
  for (const [first, ...later] of Map.groupBy(writes, ({ name }) => name).values()) {
    for (const one of later) {
      const pair = [first, one].map((write) => machines.versionOf(write?.requestId ?? '')).join(', ')
      repeats[pair] = (repeats[pair] ?? 0) + 1
    }
  }
  return repeats
}
