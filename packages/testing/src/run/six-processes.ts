// Two gateways, two backends and two dispatchers as processes of their own on one database, with Redis where it is installed.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type RedisServer, redisServer } from '../programs/redis-server.ts'
import { BASE_URL, UNLIMITED } from './test-service.ts'

const PROGRAM = join(import.meta.dirname, '../../../server/bin/clinicd.mjs')

export interface SixProcesses {
  readonly gateways: readonly string[]
  /** The folder of their logs, a file each. */
  readonly logs: string
  close(): Promise<void>
}

/** @throws Error with the log of a process that ends before it listens. */
export async function startSixProcesses(databaseUrl: string): Promise<SixProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'six-processes-'))
  const logs = mkdtempSync(join(tmpdir(), 'six-logs-'))
  const redis = await redisServer()
  const children: ChildProcess[] = []
  const shared = {
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_PORT: '0',
    BASE_URL,
    GATEWAYS: '2',
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    BACKEND_TOKEN: randomBytes(24).toString('hex'),
    RATE_LIMIT: `${UNLIMITED}/60`,
    ...(redis && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
  }
  const storage = {
    DATABASE_URL: databaseUrl,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../../../test/example-names.ts')}`,
  }
  const two = (role: string, environment: Record<string, string>) =>
    Promise.all(
      [1, 2].map((number) =>
        start(role, { ...shared, ...environment }, children, join(logs, `${role}-${number}.ndjson`)),
      ),
    )
  const close = () => closeAll(children, redis, [folder, logs])
  try {
    const [backends] = await Promise.all([two('backend', storage), two('dispatcher', storage)])
    const gateways = await two('gateway', { BACKEND_URL: backends.map(({ admin }) => admin).join(',') })
    return { gateways: gateways.map(({ address }) => address), logs, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(role: string, environment: Record<string, string>, children: ChildProcess[], logFile: string) {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--role', role], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  const log = createWriteStream(logFile)
  const said: string[] = []
  return new Promise<{ address: string; admin: string }>((resolve, reject) => {
    createInterface({ input: child.stderr })
      .on('line', (line) => {
        log.write(`${line}\n`)
        if (!line.includes('"listening"')) return void said.push(line)
        const entry = JSON.parse(line)
        resolve({ address: entry.address, admin: entry.admin_address })
      })
      .on('close', () => {
        log.end()
        reject(new Error(`the ${role} did not start:\n${said.join('\n')}`))
      })
  })
}

async function closeAll(children: readonly ChildProcess[], redis: RedisServer | null, folders: readonly string[]) {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
    }),
  )
  await redis?.kill()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
