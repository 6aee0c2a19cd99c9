// `clinicd restore --without-keys`: an installation whose secret keys are lost gets its patients back, and is told what is lost with the keys.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { serviceSignature } from '@clinic-data/contract/webhook-signature'
import { type Database, openDatabase, sql, utcSession } from '@clinic-data/database'
import { findEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { isAlive } from '@clinic-data/database/embedded/is-alive'
import { goneWithin, readPostmaster } from '@clinic-data/database/embedded/postmaster'
import { assertChainSound, clinicToWriteTo } from '@clinic-data/testing/grounds/crash-load'
import { type ServiceHere, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { clinicdProgram } from '@clinic-data/testing/programs/clinicd-program'
import { type HookReceiver, hookReceiver } from '@clinic-data/testing/receivers/hook-receiver'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { sized } from '@clinic-data/testing/run/size'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'
import { metrics } from '@opentelemetry/api'

const program = await clinicdProgram()
const folder = await mkdtemp(join(tmpdir(), 'restore-without-keys-'))
const SEAL_BYTES = 32
const lostFrom = join(folder, 'lost')
const file = join(folder, 'whole.backup')
const restored = join(folder, 'restored')
let hooks: HookReceiver
let clinic_id: string
let key: string
/** The position in the feed, before the keys were lost. */
let cursor: string
let head: string
let patients: unknown
let webhooks: Record<'enabled' | 'paused' | 'disabled', string>
let oldSecret: string

const run = (argv: readonly string[], dataDir: string) => operator.run(argv, { DATA_DIR: dataDir })

async function succeed(argv: readonly string[], dataDir: string): Promise<string> {
  const { code, out, errors } = await run(argv, dataDir)
  assert.equal(code, 0, errors)
  return out
}

const serving = (DATA_DIR: string) => serveHere({ DATA_DIR, WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' })

async function ownerOf(dataDir: string): Promise<Database> {
  const urls = await findEmbeddedPostgres(dataDir)
  assert.ok(urls)
  return openDatabase({ url: urls.ownerUrl, statementTimeoutMs: 0 })
}

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

const verify = (...argv: string[]) => run(['audit', 'verify', '--clinic', clinic_id, ...argv], restored)
const storedPatients = (owner: Database) =>
  owner.read(utcSession(clinic_id), sql`select p::text as row from patient p where clinic_id = ${clinic_id}`)

before(async () => {
  hooks = await hookReceiver()
  copyKept(lostFrom)
  const service = await serving(lostFrom)
  const owner = await ownerOf(lostFrom)
  const made = await clinicToWriteTo(owner)
  clinic_id = made.clinic_id
  key = made.key
  const subscribe = async (url: string) => {
    const body = { url, event_types: ['payment.recorded'] }
    return (await call(service, '/v1/webhooks', body)).body.data
  }
  const enabled = await subscribe(hooks.url)
  oldSecret = enabled.secret
  const paused = await subscribe(`${hooks.url}paused`)
  const disabled = await subscribe(`${hooks.url}disabled`)
  webhooks = { enabled: enabled.id, paused: paused.id, disabled: disabled.id }
  await call(service, `/v1/webhooks/${paused.id}`, { enabled: false }, 'PATCH')
  await owner.query(sql`update subscription set enabled = false, disabled_at = now(), disabled_reason = 'Gone.'
    where clinic_id = ${clinic_id} and id = ${disabled.id}`)
  await assertDelivers(service, oldSecret)
  cursor = (await call(service, '/v1/events?limit=1')).body.resume_cursor
  await assertChainSound({ owner }, clinic_id, (await readFile(join(lostFrom, 'secret-keys'), 'utf8')).trim())
  head = JSON.parse(await succeed(['audit', 'verify', '--clinic', clinic_id, '--json'], lostFrom)).head
  patients = await storedPatients(owner)
  await streamBackup()
  await owner.close()
  await service.stop()
})
after(async () => {
  hooks.close()
  await rm(folder, { recursive: true, force: true })
})

test('it is said that the keys are lost, and that nothing shows whether the file was changed; else nothing is done', async () => {
  const nowhere = join(folder, 'nowhere')
  const refused = async (argv: string[], reason: RegExp, dataDir = nowhere) => {
    const { code, errors } = await run(['restore', ...argv], dataDir)
    assert.deepEqual([code, reason.test(errors)], [2, true], errors)
  }
  await refused([file], /secret-keys is missing: .*, or, if they are lost, add --without-keys/)
  await refused([file, '--unauthenticated'], /secret-keys is missing/)
  await refused(
    [file, '--without-keys'],
    /may have changed the data and who may sign in.* restore it with --unauthenticated/,
  )
  const found = join(folder, 'found')
  await mkdir(found, { mode: 0o700 })
  await copyFile(join(lostFrom, 'secret-keys'), join(found, 'secret-keys'))
  await refused([file, '--without-keys'], /has all secret keys .*: restore without --without-keys/, found)
  await assert.rejects(readdir(nowhere))
})

/** One bit of the archive is another, where it unpacks nevertheless: only its checksum tells. */
function flippedUnseen(whole: Buffer, start: number): Buffer {
  for (let at = Math.floor(whole.length / 2); at < whole.length; at++) {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8((whole[at] ?? 0) ^ 1, at)
    try {
      zstdDecompressSync(bytes.subarray(start, -SEAL_BYTES))
      return bytes
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ZSTD_error_checksum_wrong') return bytes
    }
  }
  assert.fail('each bit matters to what unpacks')
}

test('a damaged file is refused without its keys too, and nothing is changed', async () => {
  const whole = await readFile(file)
  const lineEnd = whole.indexOf('\n')
  const flipped = flippedUnseen(whole, lineEnd + 1)
  const cases = { flipped, cut: whole.subarray(0, -100), short: whole.subarray(0, lineEnd + 10) }
  for (const [name, content] of Object.entries(cases)) {
    const path = join(folder, name)
    await writeFile(path, content)
    const target = join(folder, `of-${name}`)
    const { code, errors } = await run(['restore', path, '--without-keys', '--unauthenticated'], target)
    assert.deepEqual([code, /is damaged, not whole or changed/.test(errors)], [1, true], `${name}: ${errors}`)
    await assert.rejects(readdir(target), name)
  }
})

const begun = async (dataDir: string) => (await readdir(dataDir)).filter((name) => name.startsWith('pg'))

const KILLED = ['SIGKILL', null] as const
const ENDS = sized({ everyday: [KILLED], long: [['SIGTERM', 130] as const, KILLED] })

/** @returns the servers that worked on it. */
async function endRestores(target: string): Promise<number[]> {
  const pids: number[] = []
  for (const [signal, code] of ENDS) {
    await rm(join(target, 'postgres.log'), { force: true })
    const child = spawn(process.execPath, [program, 'restore', file, '--without-keys', '--unauthenticated'], {
      env: { PATH: process.env.PATH, DATA_DIR: target },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    // The server that is started for the changes has a log.
    await until(
      async () => existsSync(join(target, 'postgres.log')) || null,
      () => 'no server was started',
    )
    child.kill(signal)
    assert.equal((await ended)[0], code)
    const [left = '', ...others] = await begun(target)
    assert.deepEqual([/^pg\.new-/.test(left), others], [true, []])
    pids.push((await readPostmaster(join(target, left)))?.pid ?? 0)
    if (signal === 'SIGTERM') assert.equal(await goneWithin(join(target, left), 10_000), true)
  }
  return pids
}

test('a restore that was killed is repeated, and brings patients, new keys, paused webhooks and a log that is proven from then on', async () => {
  const pids = await endRestores(restored)
  const { code, out, errors } = await run(['restore', file, '--without-keys', '--unauthenticated', '--json'], restored)
  assert.equal(code, 0, errors)
  assert.deepEqual([await begun(restored), pids.filter((pid) => pid > 0 && isAlive(pid))], [['pg'], []])
  assert.match(errors, /^clinicd: nothing shows that nobody has changed /m)
  const report = JSON.parse(out)
  const waiting = [webhooks.enabled, webhooks.paused]
  assert.deepEqual(report.lost_keys, ['a'])
  assert.deepEqual(
    report.paused_webhooks,
    waiting.map((id) => ({ clinic_id, id })),
  )
  const keyFile = await readFile(join(restored, 'secret-keys'), 'utf8')
  const [made] = parseSecretKeys(keyFile.trim())
  assert.notEqual(made.id, 'a')
  assert.ok(!`${out}${errors}`.includes(keyFile.trim().split(':')[1] ?? ''))

  const [first, second] = [await verify(), await verify('--expect', head)]
  assert.deepEqual([first.code, second.code], [0, 0], first.out)
  assert.match(first.out, /^Sound: .*\nNot proven by a key: rows from before \d{4}-\S+, when a backup was restored/m)
  const uses = JSON.parse(await succeed(['secrets', 'list', '--json'], restored))
  assert.deepEqual(
    uses.map(({ id, webhook_secrets, audit_heads }: Record<string, unknown>) => [id, webhook_secrets, audit_heads]),
    [[made.id, 3, 1]],
  )
})

test('a file that another key has authenticated is restored without the lost one, as proven', async () => {
  const rotated = join(folder, 'rotated.backup')
  const lost = (await readFile(join(lostFrom, 'secret-keys'), 'utf8')).trim()
  const later = `later:${randomBytes(32).toString('base64')}`
  await writeFile(join(lostFrom, 'secret-keys'), `${later},${lost}\n`)
  await succeed(['backup', rotated], lostFrom)
  const target = join(folder, 'proven')
  await mkdir(target, { mode: 0o700 })
  await writeFile(join(target, 'secret-keys'), `${later}\n`, { mode: 0o600 })
  const { code, errors, out } = await run(['restore', rotated, '--without-keys', '--json'], target)
  assert.deepEqual([code, errors], [0, ''])
  assert.deepEqual([JSON.parse(out).lost_keys, JSON.parse(out).paused_webhooks.length], [['a'], 2])
  assert.equal(await readFile(join(target, 'secret-keys'), 'utf8'), `${later}\n`)
})

test('the webhooks send again once their secrets were rotated, and nothing is signed by a secret that nobody knows', async () => {
  // The meters of the service before it, in this process, would stay.
  metrics.disable()
  const service = await serving(restored)
  const shown = await (await fetch(`${service.adminAddress}/metrics`)).text()
  assert.match(shown, /^backup_age_seconds\b/m, 'an embedded database tells how old its backup is')
  const owner = await ownerOf(restored)
  assert.deepEqual(await storedPatients(owner), patients)
  assert.equal((await call(service, `/v1/events?limit=1&cursor=${cursor}`)).status, 400)
  const of = `/v1/webhooks/${webhooks.enabled}`
  const before = (await call(service, of)).body.data
  assert.deepEqual([before.enabled, /^Its secret was lost, /.test(before.disabled_reason)], [false, true])
  assert.equal((await call(service, `/v1/webhooks/${webhooks.disabled}`)).body.data.disabled_reason, 'Gone.')
  const { secret } = (await call(service, `${of}/secret/rotate`, {}, 'POST')).body.data
  assert.equal((await call(service, of, { enabled: true }, 'PATCH')).status, 200)
  await assertDelivers(service, secret)

  const { rows: logins } = await owner.query(
    sql`select 1 from pg_roles where rolname::text like 'clinic_data_console\\_%'`,
  )
  assert.equal(logins.length, 1, 'the login that followed from the lost key is gone')

  // The rows go on in the chain, and a later change of an earlier row is found.
  await assertChainSound({ owner }, clinic_id, (await readFile(join(restored, 'secret-keys'), 'utf8')).trim())
  assert.equal(JSON.parse((await verify('--json')).out).sound, true)
  assert.match(await succeed(['audit', 'show', '--clinic', clinic_id], restored), /operator\.restore\.without_keys/)
  await owner.query(
    sql`delete from audit where clinic_id = ${clinic_id} and operation = 'operator.restore.without_keys'`,
  )
  assert.equal((await verify()).code, 1)
  await owner.close()
  await service.stop()
})
