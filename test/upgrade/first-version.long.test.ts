// From the first version that others have run to today's: it stops meanwhile, `clinicd doctor` says so before, and everything goes on
// behind the upgrade: keys, events, cursors, repeated requests, webhooks and the proof of the audit log.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as schema from '@clinic-data/backend/migrations'
import { serviceSignature } from '@clinic-data/contract/webhook-signature'
import { type Database, sql } from '@clinic-data/database'
import {
  assertWhole,
  clinicWithoutKey,
  creating,
  faultOfChain,
  writeThroughCrashes,
} from '@clinic-data/testing/grounds/crash-load'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { hookReceiver } from '@clinic-data/testing/receivers/hook-receiver'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'
import { FIRST, FORMER_SCOPES, type FormerProgram, formerProgram, NO_HISTORY } from './former-program.ts'

const run = promisify(execFile)
const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
const PAGE_EVENTS = 10
/** A client of the load has sent this, and sends it once more. */
const REPEATED = 'payment-1-0'
/** Clients repeat a request that fails. Without a limit they would do so for ever. */
const timeout = 600_000

type Call = (path: string, body?: object, idempotencyKey?: string) => Promise<{ status: number; body: Body }>
interface Body {
  data: Record<string, unknown> & { id: string }[]
  next_cursor: string | null
  resume_cursor: string
}

const calling =
  (address: string, key: string): Call =>
  async (path, body, idempotencyKey = randomBytes(8).toString('hex')) => {
    const answer = await fetch(`${address}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }

/** @returns the ids of the feed's events behind a cursor, in its order, and each page's cursor. */
async function walk(call: Call, from: string): Promise<{ ids: string[]; cursors: string[] }> {
  const [ids, cursors]: [string[], string[]] = [[], []]
  for (let page = from; ; ) {
    const { status, body } = await call(`/v1/events?limit=${PAGE_EVENTS}&${page}`)
    assert.equal(status, 200, JSON.stringify(body))
    ids.push(...body.data.map(({ id }) => id))
    const cursor = body.next_cursor ?? body.resume_cursor
    cursors.push(cursor)
    page = `cursor=${cursor}`
    if (body.next_cursor === null) return { ids, cursors }
  }
}

/** Seals the log as that version did, by its own code. Only what is older than a minute is sealed. */
async function sealFormerly({ folder }: FormerProgram, owner: Database, url: string, clinic_id: string): Promise<void> {
  await owner.query(sql`update audit set stored_at = stored_at - interval '2 minutes' where clinic_id = ${clinic_id}`)
  const { sealAudit } = await import(pathToFileURL(join(folder, 'packages/backend/src/audit-seal.ts')).href)
  const { openDatabase: openFormerly } = await import(
    pathToFileURL(join(folder, 'packages/database/src/database.ts')).href
  )
  const former = await openFormerly({ url, role: null, statementTimeoutMs: 0 })
  assert.ok((await sealAudit(former, clinic_id, new Date())) > 0)
  await former.close()
}

test('the first version stops for the upgrade, which is said before, and all that it stored goes on', {
  timeout,
}, async (t) => {
  const former = await formerProgram(FIRST)
  if (former === null) return t.skip(NO_HISTORY)
  const before = schema.migrations.filter(({ id }) => former.migrations.has(id))
  const { owner, url } = await ownGround({ migrations: before, tables: [] })
  const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
  if (citus.length > 0) return t.skip('a cluster of that version cannot be migrated')
  const hooks = await hookReceiver()
  t.after(() => hooks.close())
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: former.folder,
    SECRET_KEYS,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
  }
  const formerly = async (...argv: string[]) =>
    (await run(process.execPath, [former.program, ...argv], { env: { PATH: process.env.PATH, ...environment } })).stdout

  const service = await startClinicd([], environment, former.program)
  const clinic_id = await clinicWithoutKey(owner)
  const minted = await formerly('keys', 'mint', '--clinic', clinic_id, '--scopes', FORMER_SCOPES, '--rate', '1000000')
  const key = minted.trim()
  const call = calling(service.address, key)
  const answers = await writeThroughCrashes({
    address: async () => service.address,
    key,
    rounds: 0,
    kill: async () => undefined,
  })
  const { path, body } = creating.payment(REPEATED)
  const paid = await call(path, body, REPEATED)
  assert.equal(paid.status, 201)
  const subscribed = await call('/v1/webhooks', { url: hooks.url, event_types: ['payment.recorded'] })
  assert.equal(subscribed.status, 201)
  const fed = await walk(call, 'since=2020-01-01T00:00:00Z')
  assert.ok(fed.cursors.length > 2)
  assert.equal(await service.end('SIGTERM'), 0)
  // Messages go on their way meanwhile, so the feed grew behind the walk, and will.
  const { rows: events } = await owner.query<{ id: string }>(sql`
    select id from event where clinic_id = ${clinic_id} and position is not null order by position`)
  const stored = events.map(({ id }) => id)
  assert.deepEqual(stored.slice(0, fed.ids.length), fed.ids)
  await sealFormerly(former, owner, url, clinic_id)
  const proven = JSON.parse(await formerly('audit', 'verify', '--clinic', clinic_id, '--json'))
  // That version dated events by the clock of each process.
  await owner.query(sql`update event set created_at = created_at - interval '1 minute'
    where clinic_id = ${clinic_id} and position % 7 = 3`)

  const examined = await operator.run(['doctor'], environment)
  assert.match(examined.out, /The version that made the tables stops working then, and does not start on them again/)
  const today = await startClinicd([], environment)
  const callToday = calling(today.address, key)
  await assertWhole(owner, clinic_id, answers)
  const { ids } = await walk(callToday, 'since=2020-01-01T00:00:00Z')
  assert.deepEqual(ids.slice(0, stored.length), stored)
  for (const [page, cursor] of fed.cursors.slice(0, -1).entries()) {
    const behind = stored.slice((page + 1) * PAGE_EVENTS)
    assert.deepEqual(
      (await walk(callToday, `cursor=${cursor}`)).ids.slice(0, behind.length),
      behind,
      `behind page ${page + 1}`,
    )
  }
  const repeated = await callToday(path, body, REPEATED)
  assert.equal(repeated.status, 201)
  assert.deepEqual(repeated.body.data, { ...paid.body.data, refunds: [] })
  assert.equal((await callToday(path, creating.payment('new').body)).status, 201)
  const { signature, body: sent } = await hooks.next()
  assert.equal(signature, serviceSignature(String(subscribed.body.data.secret), sent))
  assert.equal(await today.end('SIGTERM'), 0)

  assert.equal(await faultOfChain(owner, clinic_id, SECRET_KEYS), null)
  const verify = () =>
    operator.run(['audit', 'verify', '--clinic', clinic_id, '--expect', `${proven.seals}.${proven.hash}`], environment)
  const sound = await verify()
  assert.equal(sound.code, 0, sound.out)
  await owner.query(sql`update audit set address = '192.0.2.9' where clinic_id = ${clinic_id} and id =
    (select min(id) from audit where clinic_id = ${clinic_id})`)
  assert.equal((await verify()).code, 1)
})
