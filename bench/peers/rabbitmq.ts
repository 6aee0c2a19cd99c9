// A RabbitMQ of its own (Debian package rabbitmq-server) for a peer that keeps its deliveries there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './queue-store.ts'

/** Its own scripts. Those of Debian in /usr/sbin change to the account of the system's server. */
const PROGRAMS = '/usr/lib/rabbitmq/bin'

export interface RabbitMq {
  readonly url: string
  pid(): number
  /** Kills it with SIGKILL and starts it again. Resolves when it accepts connections. */
  crash(): Promise<void>
  /** Removes these queues. */
  remove(queues: readonly string[]): void
  /** The number of messages in a queue, with those that a consumer has and has not confirmed. */
  waiting(queue: string): number
  close(): Promise<void>
}

/** @param port of the first of three that it uses. */
export async function openRabbitMq(port: number): Promise<RabbitMq> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-rabbitmq-'))
  const env = { ...process.env, ...environmentOf(folder, port) }
  const names = spawn('epmd', ['-address', '127.0.0.1', '-port', String(port + 2)], { env, stdio: 'ignore' })
  await once(names, 'spawn')
  const start = async () => {
    const server = spawn(join(PROGRAMS, 'rabbitmq-server'), { env, stdio: 'ignore' })
    await once(server, 'spawn')
    await until(async () => {
      if (server.exitCode !== null) throw new Error('rabbitmq-server has ended')
      return accepts(port)
    })
    return server
  }
  const ask = (...args: string[]) => execFileSync(join(PROGRAMS, 'rabbitmqctl'), ['-q', ...args], { env }).toString()
  let server: ChildProcess = await start()
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    pid: () => server.pid ?? 0,
    async crash() {
      await killed(server)
      server = await start()
    },
    remove(queues) {
      const there = ask('list_queues', '--no-table-headers', 'name').split('\n')
      for (const queue of queues) if (there.includes(queue)) ask('delete_queue', queue)
    },
    waiting(queue) {
      const rows = ask('list_queues', '--no-table-headers', 'name', 'messages').split('\n')
      return Number(rows.find((row) => row.startsWith(`${queue}\t`))?.split('\t')[1] ?? 0)
    },
    async close() {
      await killed(server)
      await killed(names)
      await rm(folder, { recursive: true })
    },
  }
}

/** Where it keeps everything, and that the script becomes the server, whose process id is then known. */
function environmentOf(folder: string, port: number): Record<string, string> {
  return {
    HOME: folder,
    ERL_EPMD_PORT: String(port + 2),
    RABBITMQ_NODENAME: 'bench@localhost',
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(port + 1),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'environment'),
    RABBITMQ_CONFIG_FILE: join(folder, 'settings'),
    RUNNING_UNDER_SYSTEMD: 'true',
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
