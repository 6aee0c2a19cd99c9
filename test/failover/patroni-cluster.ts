// A PostgreSQL that survives its primary, as plain processes in a temporary folder: etcd, Patroni on two machines, HAProxy, with the
// files of `deploy/patroni`. Debian's packages postgresql, patroni, etcd-server, haproxy and procps.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, sql } from '@clinic-data/database'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { freePorts } from '@clinic-data/testing/free-port'
import { until } from '@clinic-data/testing/until'
import { Machine } from './machine.ts'
import { give, Program } from './program.ts'

const deploy = join(import.meta.dirname, '../../deploy/patroni')
const [postgres] = globSync('/usr/lib/postgresql/*/bin').sort().reverse()
const lacks = ['patroni', 'etcd', 'haproxy', 'pgrep'].some((name) => spawnSync('which', [name]).status !== 0)

/** For `test`: skips with a clear line where a program is missing. */
export const needsPatroni = {
  skip:
    postgres !== undefined && !lacks
      ? false
      : 'no cluster of Patroni can run here: apt-get install postgresql patroni etcd-server haproxy procps',
}

/** Seconds, shorter than those of production, so that a failover takes a few. */
const TIMES = { ttl: 6, loop_wait: 1, retry_timeout: 2 }

interface Places {
  folder: string
  etcd: number
  primary: number
  standby: number
  machines: readonly { readonly port: number; readonly restPort: number }[]
}

const passwords = {
  PATRONI_SUPERUSER_PASSWORD: randomBytes(16).toString('hex'),
  PATRONI_REPLICATION_PASSWORD: randomBytes(16).toString('hex'),
  PATRONI_REWIND_PASSWORD: randomBytes(16).toString('hex'),
  PATRONI_RESTAPI_USERNAME: 'patroni',
  PATRONI_RESTAPI_PASSWORD: randomBytes(16).toString('hex'),
}

interface Roles {
  primary: Machine
  /** Synchronous: it has every acknowledged commit. */
  standby: Machine
}

export class PatroniCluster {
  readonly machines: readonly Machine[]
  readonly #places: Places
  readonly #programs: readonly Program[]
  readonly #password = randomBytes(16).toString('hex')

  private constructor(places: Places, programs: readonly Program[], machines: readonly Machine[]) {
    this.#places = places
    this.#programs = programs
    this.machines = machines
  }

  /** Resolves when there are a primary, a synchronous standby, and an empty database for the service. */
  static async start(): Promise<PatroniCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'patroni-'))
    give(folder)
    const [etcd = 0, peers = 0, primary = 0, standby = 0, ...others] = await freePorts(8)
    const machine = () => ({ port: others.pop() ?? 0, restPort: others.pop() ?? 0 })
    const places = { folder, etcd, primary, standby, machines: [machine(), machine()] }
    const certificate = makeCertificate()
    writeOwn(join(folder, 'database.pem'), certificate.cert)
    writeOwn(join(folder, 'database.key'), certificate.key)
    const forEtcd = makeCertificate()
    writeOwn(join(folder, 'etcd.pem'), forEtcd.cert)
    writeOwn(join(folder, 'etcd.key'), forEtcd.key)
    const programs = [startEtcd(places, peers), startHaproxy(places)]
    const machines = places.machines.map((_, i) => startMachine(places, i))
    const cluster = new PatroniCluster(places, programs, machines)
    try {
      await cluster.roles()
      await cluster.#makeDatabase()
      return cluster
    } catch (error) {
      await cluster.close()
      throw error
    }
  }

  /** The address of the primary, whichever machine it is, for the owner of the service's tables. */
  get url(): string {
    return this.#urlAt(this.#places.primary)
  }

  /** The address of the standby, whichever machine it is. */
  get standbyUrl(): string {
    return this.#urlAt(this.#places.standby)
  }

  /** The address of the primary for who may see the rows of all clinics: a test. */
  get superuserUrl(): string {
    return this.#superuserAt('clinicd')
  }

  /** Asks etcd, which decides who is the primary, as somebody with or without the cluster's certificate. @returns the status */
  askEtcd(certificate: 'own' | 'none'): Promise<number> {
    const { folder, etcd } = this.#places
    const [cert, key] = ['etcd.pem', 'etcd.key'].map((name) => readFileSync(join(folder, name)))
    const own = certificate === 'own' ? { cert, key } : {}
    return new Promise((resolve, reject) => {
      const asking = get(
        { host: '127.0.0.1', port: etcd, path: '/health', ca: cert, agent: false, ...own },
        (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
        },
      )
      asking.on('error', reject)
    })
  }

  /** The machines by their roles, as soon as there is one of each. */
  async roles(): Promise<Roles> {
    const members = async () => {
      for (const program of this.#programs) program.requireRunning()
      const [primary, standby] = [await this.#machine('primary'), await this.#machine('sync')]
      // For a moment a machine that is being promoted is both.
      return primary !== undefined && standby !== undefined && standby !== primary && { primary, standby }
    }
    const said = () => this.machines.map((machine) => machine.said).join('\n')
    return until(members, () => `there are no primary and synchronous standby:\n${said()}`)
  }

  async close(): Promise<void> {
    for (const machine of this.machines) await machine.kill()
    for (const program of this.#programs) await program.kill()
    // The processes of a killed PostgreSQL end a moment later.
    rmSync(this.#places.folder, { recursive: true, force: true, maxRetries: 20 })
  }

  async #machine(role: 'primary' | 'sync'): Promise<Machine | undefined> {
    for (const machine of this.machines) if (await machine.is(role)) return machine
    return undefined
  }

  async #makeDatabase(): Promise<void> {
    const url = this.#superuserAt('postgres')
    const server = await until(
      () => openDatabase({ url, statementTimeoutMs: 0, writeConnections: 1 }).catch(() => null),
      () => 'HAProxy leads to no primary',
    )
    try {
      await server.maintain((tx) => tx.script(`create role clinicd login createrole password '${this.#password}'`))
      await server.query(sql`create database clinicd owner clinicd`)
    } finally {
      await server.close()
    }
  }

  #superuserAt(database: string): string {
    const url = new URL(this.url)
    Object.assign(url, { username: 'postgres', password: passwords.PATRONI_SUPERUSER_PASSWORD, pathname: database })
    return url.href
  }

  #urlAt(port: number): string {
    const authority = join(this.#places.folder, 'database.pem')
    return `postgres://clinicd:${this.#password}@127.0.0.1:${port}/clinicd?sslmode=verify-full&sslrootcert=${authority}`
  }
}

function startEtcd({ folder, etcd }: Places, peerPort: number): Program {
  const [address, peers] = [`https://127.0.0.1:${etcd}`, `https://127.0.0.1:${peerPort}`]
  const [certificate, key] = [join(folder, 'etcd.pem'), join(folder, 'etcd.key')]
  const argv = [
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', address, '--advertise-client-urls', address],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `default=${peers}`],
    ...['--cert-file', certificate, '--key-file', key, '--trusted-ca-file', certificate, '--client-cert-auth'],
    ...['--peer-cert-file', certificate, '--peer-key-file', key, '--peer-trusted-ca-file', certificate],
    '--peer-client-cert-auth',
  ]
  return new Program('etcd', argv, { folder, log: join(folder, 'etcd.log') })
}

function startHaproxy({ folder, primary, standby, machines }: Places): Program {
  const text = machines.reduce(
    (sum, { port, restPort }, i) =>
      sum.replaceAll(`10.0.0.1${i + 1}:5432 port 8008`, `127.0.0.1:${port} port ${restPort}`),
    readFileSync(join(deploy, 'haproxy.cfg'), 'utf8')
      // The test may have no right to change the account.
      .replace('  user haproxy\n  group haproxy\n', '')
      .replace('bind 127.0.0.1:5432', `bind 127.0.0.1:${primary}`)
      .replace('bind 127.0.0.1:5433', `bind 127.0.0.1:${standby}`),
  )
  const file = join(folder, 'haproxy.cfg')
  writeOwn(file, text)
  return new Program('haproxy', ['-db', '-f', file], { folder, log: join(folder, 'haproxy.log') })
}

function startMachine({ folder: root, etcd, machines }: Places, i: number): Machine {
  const { port, restPort } = machines[i] ?? { port: 0, restPort: 0 }
  const name = `database-${i + 1}`
  const folder = join(root, name)
  mkdirSync(folder)
  give(folder)
  const times = Object.entries(TIMES).reduce(
    (text, [key, seconds]) => text.replace(new RegExp(`^( +${key}: )\\d+$`, 'm'), `$1${seconds}`),
    readFileSync(join(deploy, 'patroni.yml'), 'utf8'),
  )
  const file = join(folder, 'patroni.yml')
  writeOwn(
    file,
    times
      .replace('name: database-1', `name: ${name}`)
      .replace(/hosts: .*/, `hosts: 127.0.0.1:${etcd}`)
      .replaceAll('10.0.0.11:8008', `127.0.0.1:${restPort}`)
      .replaceAll('10.0.0.11:5432', `127.0.0.1:${port}`)
      .replaceAll('10.0.0.0/24', '127.0.0.1/32')
      .replace('/usr/lib/postgresql/15/bin', postgres ?? '')
      .replace('/var/lib/postgresql/clinicd', join(folder, 'data'))
      .replace('/var/lib/postgresql', folder)
      .replace('/var/run/postgresql', folder)
      .replaceAll('/etc/ssl/clinicd', root),
  )
  const log = join(folder, 'patroni.log')
  return new Machine({ name, folder, restPort }, () => new Program('patroni', [file], { folder, log, env: passwords }))
}

/** Readable by the account of the programs alone. */
function writeOwn(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  give(path)
}
