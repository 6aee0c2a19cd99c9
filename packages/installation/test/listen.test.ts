// The addresses that a service listens on: one that comes late is waited for, one that never comes ends the start.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import pino from 'pino'
import { ConfigError, readConfig } from '../src/config.ts'
import { untilFree } from '../src/listen.ts'

/** This address is for documents (RFC 5737), so no machine has it by itself. */
const ADDRESS = '192.0.2.77'

/** Begins to wait. `waits` resolves when the log says so. */
function waiting(listener: 'public' | 'admin', bounds: { signal?: AbortSignal; patienceMs?: number } = {}) {
  const says = Promise.withResolvers<string>()
  const log = pino({ level: 'warn' }, { write: says.resolve })
  const config = readConfig({ DATA_DIR: '.', PORT: '0', ADMIN_PORT: '0', HOST: ADDRESS, ADMIN_HOST: ADDRESS })
  const free = untilFree(listener, config, { log, ...bounds })
  return { free, says: Promise.race([says.promise, free.then(() => 'it does not wait', String)]) }
}

const address = (what: 'add' | 'del') =>
  spawnSync('ip', ['address', what, `${ADDRESS}/32`, 'dev', 'lo'], { stdio: 'ignore' }).status === 0

// A run that was killed may have left it.
address('del')

test('an address that a machine never gets ends the start, and the error names its setting', async () => {
  for (const [listener, name] of [
    ['public', 'HOST'],
    ['admin', 'ADMIN_HOST'],
  ] as const) {
    const { free, says } = waiting(listener, { patienceMs: 0 })
    await assert.rejects(
      free,
      (error) => error instanceof ConfigError && error.message.startsWith(`${name} must be an address of this machine`),
    )
    assert.match(await says, /does not have the address yet/)
  }
})

test('a service that starts before its address waits for it', async (t) => {
  if (!address('add')) return t.skip('this user may not add an address to this machine')
  assert.ok(address('del'))
  t.after(() => address('del'))
  const { free, says } = waiting('public')
  assert.match(await says, new RegExp(`"host":"${ADDRESS}"`))
  address('add')
  await free
})

test('a signal ends a service that waits for its address', async () => {
  const signalled = new AbortController()
  const { free, says } = waiting('admin', { signal: signalled.signal })
  await says
  signalled.abort(new Error('SIGTERM'))
  await assert.rejects(free, { name: 'AbortError' })
})
