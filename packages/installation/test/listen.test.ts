// The addresses that a service listens on: one that comes late is waited for, one that never comes ends the start.
// Connections wait while the process does something else.
import assert from 'node:assert/strict'
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
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

/** More than Node.js lets wait by itself, and fewer than the files that a process may open on most machines. */
const AT_ONCE = 700

test('700 connections that come at once wait for a busy process, and none is dropped', {
  timeout: 20_000,
}, async (t) => {
  if (most() < AT_ONCE) return t.skip('this machine lets fewer connections wait (net.core.somaxconn)')
  const child = fork(join(import.meta.dirname, 'listening-child.ts'))
  t.after(() => child.kill('SIGKILL'))
  const [address] = (await once(child, 'message')) as [string]
  const { hostname: host, port } = new URL(address)
  child.kill('SIGSTOP')
  const sockets = Array.from({ length: AT_ONCE }, () => connect({ host, port: Number(port) }))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
})

/** Connections that may wait for one listener, by the machine's own limit. 0 on other systems than Linux. */
function most(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}
