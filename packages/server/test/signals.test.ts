// Signals end every operator command, in every wait, and a service beside connections that ask for nothing.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { makeKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import { END_SIGNALS } from '@clinic-data/disk/end-signals'
import { clinicWithoutKeys } from '@clinic-data/testing/grounds/test-clinic'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { until } from '@clinic-data/testing/until'

/** On the busiest machine a signal is answered within a fraction of it. One that is not heeded is never answered. */
const PROMPT_MS = 60_000

/** As long would a service wait for connections that it does not end by itself (`STOP_MS` in `shutdown.ts`). */
const PATIENCE_MS = 20_000

const program = await clinicdProgram()
const { url, owner } = await ownGround(schema)
const folder = await mkdtemp(join(tmpdir(), 'clinic-data-signals-'))
const children: ChildProcess[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function clinicd(argv: readonly string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [program, ...argv], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      DATABASE_URL: url,
      PORT: '0',
      ADMIN_PORT: '0',
      SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
      BACKEND_TOKEN: randomBytes(24).toString('hex'),
      ...environment,
    },
    stdio: 'ignore',
  })
  children.push(child)
  return child
}

/** @returns the exit code if the program handled the signal, or else the signal that ended it. */
async function endedBy(signal: NodeJS.Signals, child: ChildProcess): Promise<unknown> {
  child.kill(signal)
  const [code, endedAs] = await once(child, 'exit', { signal: AbortSignal.timeout(PROMPT_MS) })
  return code ?? endedAs
}

test('SIGTERM ends a command that waits for a lock in the database', async () => {
  // All of them wait in one way.
  const everyday = [['import', 'csv', folder, '--clinic', 'some']]
  const long = [
    ...everyday,
    ['demo'],
    ['clinics', 'list'],
    ['clinics', 'create', '--id', 'some', '--name', 'Some'],
    ['keys', 'list', '--clinic', 'some'],
    ['keys', 'mint', '--clinic', 'some', '--scopes', 'reads'],
    ['ingest-tokens', 'list', '--clinic', 'some'],
    ['admins', 'list', '--clinic', 'some'],
    ['audit', 'verify', '--clinic', 'some'],
    ['import', 'fhir', folder, '--clinic', 'some'],
  ]
  for (const argv of sized({ everyday, long })) {
    await owner.maintain(async (tx) => {
      await tx.query(sql`lock table clinic in access exclusive mode`)
      const child = clinicd(argv, {})
      const waiting = sql`select pid from pg_locks where relation = 'clinic'::regclass and not granted`
      const waits = async () => {
        assert.equal(child.exitCode, null, argv.join(' '))
        return (await tx.query(waiting)).rows.length > 0
      }
      await until(waits, () => `${argv.join(' ')} does not wait`)
      assert.equal(await endedBy('SIGTERM', child), 130, argv.join(' '))
    })
  }
})

test('SIGTERM ends a command whose database or backend does not answer', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  after(() => silent.close())
  await once(silent, 'listening')
  const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`
  const keyFile = join(folder, 'key')
  await writeFile(keyFile, makeKey())
  const everyday: [argv: string[], environment: Record<string, string>, ends: unknown][] = [
    [['migrate'], { DATABASE_URL: `postgres://somebody@${address}/nothing` }, 130],
  ]
  const long: typeof everyday = [
    ...everyday,
    [['conformance', '--backend', `http://${address}`, '--key-file', keyFile], {}, 130],
  ]
  for (const [argv, environment, ends] of sized({ everyday, long })) {
    const child = clinicd(argv, environment)
    await once(silent, 'connection')
    assert.equal(await endedBy('SIGTERM', child), ends, argv.join(' '))
  }
})

test('every signal to end leaves no part of a file that a command writes, wherever its output goes', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const writing: [argv: string[], table: string][] = [
    [['clinics', 'export'], 'patient'],
    [['audit', 'export', '--to'], 'audit_seal'],
  ]
  for (const [argv, table] of writing)
    for (const signal of sized<readonly NodeJS.Signals[]>({ everyday: ['SIGHUP'], long: END_SIGNALS })) {
      const place = await mkdtemp(join(folder, 'written-'))
      await owner.maintain(async (tx) => {
        await tx.query(sql`lock table ${sql.identifier(table)} in access exclusive mode`)
        const child = clinicd([...argv, join(place, 'file'), '--clinic', clinic_id], {})
        const begins = async () => {
          assert.equal(child.exitCode, null, argv.join(' '))
          return (await readdir(place)).length > 0
        }
        await until(begins, () => `${argv.join(' ')} begins no file`)
        assert.equal(await endedBy(signal, child), 130, `${argv.join(' ')}, ${signal}`)
      })
      assert.deepEqual(await readdir(place), [], `${argv.join(' ')}, ${signal}`)
    }
})

test('a signal ends a service beside connections that ask for nothing, and the last line of its log says so', async (t) => {
  const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
  const service = await startClinicd([], { DATA_DIR: folder, DATABASE_URL: url, SECRET_KEYS })
  const addresses = [service.address, service.adminAddress].map((address) => new URL(address))
  for (const text of ['', 'GET /healthz HTTP/1.1\r\nHost: a\r\n'])
    for (const { hostname: host, port } of addresses) {
      const socket = connect({ host, port: Number(port) }).on('error', () => undefined)
      t.after(() => socket.destroy())
      await once(socket, 'connect')
      socket.write(text)
    }
  // Two more were used, and are kept for the next request.
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  for (const { href } of addresses) {
    const [answer] = await once(get(new URL('/healthz', href), { agent }), 'response')
    await once(answer.resume(), 'end')
  }
  const began = performance.now()
  // SIGTERM ends it in the same way, after a wait for load balancers.
  assert.equal(await service.end('SIGINT'), 0)
  assert.ok(performance.now() - began < PATIENCE_MS - 2_000, 'it did not wait for them')
  await until(
    async () => service.lines.at(-1) === 'stopped',
    () => String(service.lines.at(-1)),
  )
})
