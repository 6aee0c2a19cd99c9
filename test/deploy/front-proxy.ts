// Starts the nginx or the Caddy of `deploy/` in front of a running `clinicd`, with the ports and folders of a test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'node:tls'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { freePort } from '@clinic-data/testing/free-port'

export const API = 'api.clinic.example'
export const CONSOLE = 'console.clinic.example'
const LOG = 'messages.log'
/** How long the files wait for most answers. */
const PATIENCE = '15s'
const deploy = join(import.meta.dirname, '../../deploy')

export interface Upstreams {
  address: string
  adminAddress: string
}

interface Places {
  folder: string
  port: number
  plainPort: number
}

interface Front {
  program: string
  argv(places: Places): string[]
  /** The files of `deploy/` with the test's ports and folders in place of those of a server. */
  configure(text: string, places: Places): string
  /** Puts the addresses of the services in the place of the one that the files name. */
  lead(text: string, from: string, to: readonly string[]): string
  files: readonly string[]
  /** The file that the program reads. */
  written: string
}

const FRONTS = {
  nginx: {
    program: 'nginx',
    files: ['nginx-upstreams.conf', 'nginx.conf'],
    written: 'nginx.conf',
    argv: ({ folder }) => ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', join(folder, LOG)],
    configure(text, { folder, port, plainPort }) {
      const { key, cert } = makeCertificate({ names: [API, CONSOLE] })
      writeFileSync(join(folder, 'privkey.pem'), key)
      writeFileSync(join(folder, 'fullchain.pem'), cert)
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')
      const server = text
        .replaceAll('/etc/ssl/clinicd', folder)
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('listen 80;', `listen 127.0.0.1:${plainPort};`)
      return `daemon off;\npid ${folder}/pid;\nevents {}\nhttp {\n${paths}\n${server}\n}\n`
    },
    lead: (text, from, to) =>
      text.replace(new RegExp(`^.*server ${from}.*$`, 'm'), (line) =>
        to.map((one) => line.replace(from, one)).join('\n'),
      ),
  },
  caddy: {
    program: 'caddy',
    files: ['Caddyfile'],
    written: 'Caddyfile',
    argv: ({ folder }) => ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    configure: (text, { folder, port, plainPort }) => `{
	admin off
	local_certs
	skip_install_trust
	http_port ${plainPort}
	https_port ${port}
	storage file_system ${folder}
}
${text}`,
    lead: (text, from, to) => text.replaceAll(from, to.join(' ')),
  },
} as const satisfies Record<string, Front>

export type FrontName = keyof typeof FRONTS
export const frontNames = Object.keys(FRONTS) as FrontName[]

/** Whether this machine has the program. */
export function hasFront(name: FrontName): boolean {
  return spawnSync('which', [FRONTS[name].program]).status === 0
}

export interface ProxyRequest {
  method?: string
  host?: string
  headers?: Record<string, string>
  body?: string
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export class FrontProxy {
  readonly #child: ChildProcess
  readonly #places: Places

  private constructor(child: ChildProcess, places: Places) {
    this.#child = child
    this.#places = places
  }

  static start(name: FrontName, ...services: readonly Upstreams[]): Promise<FrontProxy> {
    return FrontProxy.#start(name, services, PATIENCE)
  }

  /** It waits a second for what the file says that it waits fifteen. */
  static startImpatient(name: FrontName, ...services: readonly Upstreams[]): Promise<FrontProxy> {
    return FrontProxy.#start(name, services, '1s')
  }

  static async #start(name: FrontName, services: readonly Upstreams[], patience: string): Promise<FrontProxy> {
    const folder = mkdtempSync(join(tmpdir(), `${name}-`))
    const places = { folder, port: await freePort(), plainPort: await freePort() }
    const front: Front = FRONTS[name]
    const hosts = (of: keyof Upstreams) => services.map((service) => new URL(service[of]).host)
    const file = front.files.map((file) => readFileSync(join(deploy, file), 'utf8')).join('\n')
    const led = front.lead(
      front.lead(file, '127.0.0.1:8080', hosts('address')),
      '127.0.0.1:8081',
      hosts('adminAddress'),
    )
    writeFileSync(join(folder, front.written), front.configure(led.replaceAll(PATIENCE, patience), places))
    const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const log = openSync(join(folder, LOG), 'a')
    const child = spawn(front.program, front.argv(places), { env, stdio: ['ignore', log, log] })
    closeSync(log)
    for (const host of [API, CONSOLE]) {
      while (!(await accepts(places.port, host))) {
        if (child.exitCode !== null) throw new Error(`${name} did not start: ${child.exitCode}`)
        await delay(20)
      }
    }
    return new FrontProxy(child, places)
  }

  /** By https, as the internet reaches it. */
  async ask(path: string, wanted: ProxyRequest = {}): Promise<Answer> {
    return wholeAnswer(await this.open(path, wanted))
  }

  /** The answer as it comes. */
  open(path: string, wanted: ProxyRequest = {}): Promise<IncomingMessage> {
    const host = wanted.host ?? API
    const options = { port: this.#places.port, servername: host, rejectUnauthorized: false }
    return answerTo(request({ ...options, ...requestOf(path, host, wanted) }), wanted.body)
  }

  /** By http. */
  async askPlain(path: string, wanted: ProxyRequest = {}): Promise<Answer> {
    const host = wanted.host ?? API
    const sent = plainRequest({ port: this.#places.plainPort, ...requestOf(path, host, wanted) })
    return wholeAnswer(await answerTo(sent, wanted.body))
  }

  /** The most connections that wait until it takes them, by the kernel. */
  get mostWaiting(): number {
    const { stdout } = spawnSync('ss', ['-Hltn', `sport = :${this.#places.port}`], { encoding: 'utf8' })
    const [, , most] = stdout.split(/\s+/)
    return Number(most)
  }

  /** Everything that it has logged. */
  get said(): string {
    return readFileSync(join(this.#places.folder, LOG), 'utf8')
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await exit
    rmSync(this.#places.folder, { recursive: true, force: true })
  }
}

function requestOf(path: string, host: string, { method = 'GET', headers = {} }: ProxyRequest) {
  return { host: '127.0.0.1', path, method, headers: { ...headers, host } }
}

async function answerTo(sent: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}

async function wholeAnswer(answer: IncomingMessage): Promise<Answer> {
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) }
}

/** Caddy issues its certificates after it has opened its port. */
function accepts(port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
