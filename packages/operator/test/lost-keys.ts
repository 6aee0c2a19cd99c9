// An installation whose secret keys are lost, and the backup that is left of it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after } from 'node:test'
import { createAdministrator } from '@clinic-data/administration/administrators'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { serviceSignature } from '@clinic-data/contract/webhook-signature'
import { type Database, openDatabase, sql, utcSession } from '@clinic-data/database'
import { findEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { assertChainSound, clinicToWriteTo } from '@clinic-data/testing/grounds/crash-load'
import { type ServiceHere, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { hookReceiver } from '@clinic-data/testing/receivers/hook-receiver'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'

export const program = await clinicdProgram()

export const run = (argv: readonly string[], dataDir: string) => operator.run(argv, { DATA_DIR: dataDir })

export async function succeed(argv: readonly string[], dataDir: string): Promise<string> {
  const { code, out, errors } = await run(argv, dataDir)
  assert.equal(code, 0, errors)
  return out
}

export const serving = (DATA_DIR: string) => serveHere({ DATA_DIR, WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' })

export async function ownerOf(dataDir: string): Promise<Database> {
  const urls = await findEmbeddedPostgres(dataDir)
  assert.ok(urls)
  return openDatabase({ url: urls.ownerUrl, statementTimeoutMs: 0 })
}

export type LostInstallation = Awaited<ReturnType<typeof loseKeys>>

/** Its files are removed after the tests of the file. */
export async function loseKeys() {
  const folder = await mkdtemp(join(tmpdir(), 'restore-without-keys-'))
  const hooks = await hookReceiver()
  after(async () => {
    hooks.close()
    await rm(folder, { recursive: true, force: true })
  })
  const lostFrom = join(folder, 'lost')
  const file = join(folder, 'whole.backup')
  copyKept(lostFrom)
  const service = await serving(lostFrom)
  const owner = await ownerOf(lostFrom)
  const { clinic_id, key } = await clinicToWriteTo(owner)
  const storedPatients = (owner: Database) =>
    owner.read(utcSession(clinic_id), sql`select p::text as row from patient p where clinic_id = ${clinic_id}`)

  async function call(service: ServiceHere, path: string, body?: object, method = body ? 'POST' : 'GET') {
    const answer = await fetch(`${service.address}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }

  async function assertDelivers(service: ServiceHere, secret: string): Promise<void> {
    const payment = { amount: 1, method_type: 'cash', billing_account_id: 'main' }
    assert.equal((await call(service, '/v1/patients/p/payments', payment)).status, 201)
    const { signature, body } = await hooks.next()
    assert.equal(signature, serviceSignature(secret, body))
  }

  /** As it would go to another machine. */
  async function streamBackup(): Promise<void> {
    const child = spawn(process.execPath, [program, 'backup', '-'], {
      env: { PATH: process.env.PATH, DATA_DIR: lostFrom },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(child, 'exit')
    await pipeline(child.stdout, createWriteStream(file))
    assert.deepEqual(await ended, [0, null])
  }

  const subscribe = async (url: string) => {
    const body = { url, event_types: ['payment.recorded'] }
    return (await call(service, '/v1/webhooks', body)).body.data
  }
  const enabled = await subscribe(hooks.url)
  const paused = await subscribe(`${hooks.url}paused`)
  const disabled = await subscribe(`${hooks.url}disabled`)
  await call(service, `/v1/webhooks/${paused.id}`, { enabled: false }, 'PATCH')
  await owner.query(sql`update subscription set enabled = false, disabled_at = now(), disabled_reason = 'Gone.'
    where clinic_id = ${clinic_id} and id = ${disabled.id}`)
  await assertDelivers(service, enabled.secret)
  /** The position in the feed, before the keys were lost. */
  const cursor: string = (await call(service, '/v1/events?limit=1')).body.resume_cursor
  await assertChainSound({ owner }, clinic_id, (await readFile(join(lostFrom, 'secret-keys'), 'utf8')).trim())
  const head: string = JSON.parse(await succeed(['audit', 'verify', '--clinic', clinic_id, '--json'], lostFrom)).head
  const patients = await storedPatients(owner)
  const token = await connectApp(owner, clinic_id)
  await streamBackup()
  await owner.close()
  await service.stop()
  const webhooks: Record<'enabled' | 'paused' | 'disabled', string> = {
    enabled: enabled.id,
    paused: paused.id,
    disabled: disabled.id,
  }
  const ways = { key, token }
  return {
    folder,
    lostFrom,
    file,
    clinic_id,
    cursor,
    head,
    patients,
    webhooks,
    ways,
    storedPatients,
    call,
    assertDelivers,
  }
}

/** @returns its access token. */
async function connectApp(owner: Database, clinic_id: string): Promise<string> {
  const [token, of] = [makeKey('oat_live_'), { clinic_id, email: 'noa@clinic.example', name: 'Noa', now: new Date() }]
  const { id: person } = await createAdministrator(owner, of)
  await owner.query(sql`insert into app (id, kind, name, redirect_uris, authentication, created_at)
    values ('desk', 'registered', 'Desk', '{https://desk.example/back}', 'none', now())`)
  await owner.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at, made_by)
    values (${clinic_id}, 'con_1', ${hashKey(makeKey('oat_live_'))}, '', '', 'Desk', '{patients:read}', now(), ${person})`)
  await owner.query(sql`insert into connection (clinic_id, id, app_id, app_name, is_verified, administrator_id, place, connected_at)
    values (${clinic_id}, 'con_1', 'desk', 'Desk', true, ${person}, 'web', now())`)
  await owner.query(sql`insert into connection_token (clinic_id, token_hash, kind, connection_id, created_at, expires_at)
    values (${clinic_id}, ${hashKey(token)}, 'access', 'con_1', now(), now() + interval '1 hour')`)
  return token
}
