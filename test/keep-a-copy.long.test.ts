// The examples that keep a copy of a clinic follow a service that is killed, and one that is restored from a backup.
import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { mintIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { allScopes } from '@clinic-data/contract'
import { openDatabase } from '@clinic-data/database'
import { findEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { freePorts } from '@clinic-data/testing/free-port'
import { type ClinicdProcess, startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { MISSING } from '@clinic-data/testing/programs/python'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { emptyClinic } from '@clinic-data/testing/run/test-service'
import { operator } from '@clinic-data/testing/shared/operator'
import { ClinicAtWork, inJavaScript, inPython, type Keeper, KeptCopy } from './keep-a-copy.ts'

const SEED = 20261129
/** More than a page of a list. */
const PATIENTS = 105
const RATE = 1_000_000

const folder = await mkdtemp(join(tmpdir(), 'keep-a-copy-'))
after(() => rm(folder, { recursive: true, force: true }))
const first = join(folder, 'first')
const [PORT, ADMIN_PORT] = (await freePorts(2)).map(String)

let service: ClinicdProcess
const serve = async (DATA_DIR: string) => {
  service = await startClinicd([], { DATA_DIR, PORT, ADMIN_PORT })
}

/** A clinic in the first service's database, with a key and the token of its own system. */
async function newClinic(): Promise<{ key: string; token: string }> {
  const urls = (await findEmbeddedPostgres(first)) ?? assert.fail('no database')
  const owner = await openDatabase({ url: urls.ownerUrl, statementTimeoutMs: 0 })
  try {
    const { clinic_id } = await emptyClinic(owner)
    const named = { clinic_id, name: 'copy', now: new Date() }
    const { key } = await mintKey(owner, { ...named, scopes: allScopes, expires_at: null, rate_limit: RATE })
    return { key, token: (await mintIngestToken(owner, named)).token }
  } finally {
    await owner.close()
  }
}

async function succeed(DATA_DIR: string, ...argv: string[]): Promise<void> {
  const { code, errors } = await operator.run(argv, { DATA_DIR })
  assert.equal(code, 0, errors)
}

/** One clinic for all of them: a service takes longer to kill and to restore than a copy to follow it. */
const keepers: readonly Keeper[] = [inJavaScript, ...(inPython === null ? [] : [inPython])]
if (inPython === null) test('Python: a copy is kept', { skip: MISSING }, () => {})

const named = keepers.map(({ example }) => example).join(' and ')
test(`${named}: a copy is whole after the service was killed, and after it was restored from a backup`, async () => {
  copyKept(first)
  await serve(first)
  const { key, token } = await newClinic()
  const work = new ClinicAtWork(async (path, records) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ records })
    const answer = await fetch(`${service.adminAddress}/ingest/v1${path}`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, await answer.text())
  }, SEED)
  await work.admit(PATIENTS)
  const copies = keepers.map((keeper) => new KeptCopy(keeper, key, service.address))
  for (const copy of copies) copy.start()
  while (copies.some((copy) => copy.stored() === null)) await work.change()
  await areWhole(copies)

  await work.admit(PATIENTS)
  await service.end('SIGKILL')
  await serve(first)
  await work.change()
  await areWhole(copies)
  for (const copy of copies) assert.doesNotMatch(copy.printed, /starting over/)

  const backup = join(folder, 'one.backup')
  await succeed(first, 'backup', backup)
  await work.admit(2)
  const before = await areWhole(copies)
  await service.end('SIGTERM')
  const second = join(folder, 'second')
  await mkdir(second, { mode: 0o700 })
  await copyFile(join(first, 'secret-keys'), join(second, 'secret-keys'))
  await succeed(second, 'restore', backup)
  await serve(second)
  assert.equal(await areWhole(copies), before - 2)
  for (const copy of copies) {
    assert.match(copy.printed, /starting over/)
    await copy.kill()
  }
  await service.end('SIGTERM')
})

/** @returns how many patients each of them holds. */
async function areWhole(copies: readonly KeptCopy[]): Promise<number> {
  const [served] = await Promise.all(copies.map((copy) => copy.isWhole()))
  return Object.keys(served?.patients ?? {}).length
}
