// A test's own Redis on a private port, as a process that can be killed and restarted. Null where none is installed.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../free-port.ts'
import { lend } from '../shared/lent.ts'

export interface RedisServer {
  readonly port: number
  start(): Promise<void>
  kill(): Promise<void>
}

/** Under `faketime` one that brings its own memory allocator may wait for itself, for ever. */
const ASKED = { timeout: 10_000, killSignal: 'SIGKILL' } as const
/** The installed one of the two programs. */
export const redisProgram = ['redis-server', 'valkey-server'].find(
  (name) => spawnSync(name, ['--version'], ASKED).status === 0,
)

/** @param more - arguments of its command line. */
export async function redisServer(...more: readonly string[]): Promise<RedisServer | null> {
  if (redisProgram === undefined) return null
  const port = await freePort()
  let process: ChildProcess | undefined
  const server: RedisServer = {
    port,
    async start() {
      const started = spawn(redisProgram, [
        '--port',
        `${port}`,
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--dir',
        '/tmp',
        ...more,
      ])
      process = started
      started.once('exit', lend('a Redis server'))
      await isReady(started)
    },
    async kill() {
      if (process === undefined || process.exitCode !== null || process.signalCode !== null) return
      const gone = once(process, 'exit')
      process.kill('SIGKILL')
      await gone
    },
  }
  await server.start()
  return server
}

/** Resolves once the server takes connections. @throws if it ends before. */
export async function isReady({ stdout }: ChildProcessWithoutNullStreams): Promise<void> {
  let said = ''
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    said += chunk
    if (said.includes('Ready to accept connections')) return void stdout.resume()
  }
  throw new Error(`the server ended: ${said}`)
}
