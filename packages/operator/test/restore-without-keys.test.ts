// `clinicd restore --without-keys`: an installation whose secret keys are lost gets its patients back, and is told what is lost with the keys.
// One that is killed, and one whose file another key has authenticated: `restore-without-keys.long.test.ts`.
import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { assertChainSound } from '@clinic-data/testing/grounds/crash-load'
import { metrics } from '@opentelemetry/api'
import { type LostInstallation, loseKeys, ownerOf, run, serving, succeed } from './lost-keys.ts'

const SEAL_BYTES = 32
let lost: LostInstallation
let restored: string
before(async () => {
  lost = await loseKeys()
  restored = join(lost.folder, 'restored')
})

const verify = (...argv: string[]) => run(['audit', 'verify', '--clinic', lost.clinic_id, ...argv], restored)

test('it is said that the keys are lost, and that nothing shows whether the file was changed; else nothing is done', async () => {
  const { file, folder, lostFrom } = lost
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

/** One bit of the archive is another, where it unpacks to something else nevertheless: only its checksum tells. */
function flippedUnseen(whole: Buffer, start: number): Buffer {
  const unpacked = zstdDecompressSync(whole.subarray(start, -SEAL_BYTES))
  for (let at = Math.floor(whole.length / 2); at < whole.length; at++) {
    const bytes = Buffer.from(whole)
    bytes.writeUInt8((whole[at] ?? 0) ^ 1, at)
    try {
      // There are bits that say nothing.
      if (!zstdDecompressSync(bytes.subarray(start, -SEAL_BYTES)).equals(unpacked)) return bytes
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ZSTD_error_checksum_wrong') return bytes
    }
  }
  assert.fail('each bit matters to what unpacks')
}

test('a damaged file is refused without its keys too, and nothing is changed', async () => {
  const { file, folder } = lost
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

test('a restore brings patients, new keys, paused webhooks and a log that is proven from then on', async () => {
  const { file, webhooks, clinic_id, head } = lost
  const { code, out, errors } = await run(['restore', file, '--without-keys', '--unauthenticated', '--json'], restored)
  assert.equal(code, 0, errors)
  assert.deepEqual(
    (await readdir(restored)).filter((name) => name.startsWith('pg')),
    ['pg'],
  )
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

test('the webhooks send again once their secrets were rotated, and nothing is signed by a secret that nobody knows', async () => {
  const { webhooks, clinic_id, cursor, patients, storedPatients, call, assertDelivers } = lost
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
