// A reader of the documentation: a demo as `npm start` makes it, the published packages in an empty folder, and each language.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { freePorts } from '@clinic-data/testing/free-port'
import { stagePackages } from '../../scripts/stage-packages.ts'
import { newcomersEnvironment, printed } from './surroundings.ts'

export const root = dirname(dirname(import.meta.dirname))

export interface Demo {
  readonly baseUrl: string
  readonly adminUrl: string
  readonly key: string
  readonly dataDir: string
  stop(): Promise<void>
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A new demo clinic in a folder of its own, complete. Its key may ask more often than a reader's: a test reads faster. */
export async function startDemo(folder: string): Promise<Demo> {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  const [port, adminPort] = await freePorts(2)
  const service: ChildProcess = spawn(
    process.execPath,
    [join(root, 'packages/server/bin/clinicd.mjs'), 'serve', '--demo'],
    {
      env: {
        ...newcomersEnvironment(folder),
        ...{ PORT: String(port), ADMIN_PORT: String(adminPort), DATA_DIR: dataDir, RATE_LIMIT: '10000/60' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const { stdout } = await printed(service, /Stop with Ctrl-C/)
  const key = /sk_live_\w+/.exec(stdout)?.[0] ?? assert.fail('no key was printed')
  return {
    ...{ key, dataDir, baseUrl: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` },
    stop: async () => {
      service.kill('SIGTERM')
      if (service.exitCode === null) await once(service, 'exit')
    },
  }
}

/** The published packages, installed from their tarballs. */
export function installPackages(folder: string): string {
  const staged = stagePackages(join(folder, 'staged'))
  const place = join(folder, 'reader')
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{"private":true,"type":"module"}')
  const tarballs = staged.map(({ tarball }) => tarball)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], {
    cwd: place,
    env: newcomersEnvironment(folder),
  })
  return place
}

type Python = { python: string } | { missing: string }
const pythons = new Map<string, Python>()

/** The path of a Python that has httpx, or why there is none. Made once for a folder. */
export function pythonWithHttpx(folder: string): Python {
  const found = pythons.get(folder) ?? makePython(folder)
  pythons.set(folder, found)
  return found
}

function makePython(folder: string): Python {
  const place = join(folder, 'venv')
  const python = join(place, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', place]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'httpx']],
  ]
  for (const [program, argv] of steps) {
    const { status, stderr, error } = spawnSync(program, argv, { encoding: 'utf8' })
    if (status !== 0) return { missing: `${program} ${argv[1]}: ${error?.message ?? stderr.trim().split('\n').at(-1)}` }
  }
  return { python }
}

/** The Node.js versions that samples run on: this one, and the machine's own where it is older. */
export function nodes(): string[] {
  const own = (newcomersEnvironment('/').PATH ?? '')
    .split(delimiter)
    .map((entry) => join(entry, 'node'))
    .find((program) => existsSync(program))
  return own === undefined ? [process.execPath] : [own, process.execPath]
}

/** Runs the samples of one reader, in the folder of the packages. */
export class Reader {
  readonly demo: Demo
  readonly #place: string
  readonly #environment: NodeJS.ProcessEnv
  #programs = 0

  /** @param withThisNode whether programs that a shell starts run on this Node.js, and not on the machine's own. */
  constructor(demo: Demo, place: string, withThisNode = false) {
    this.demo = demo
    this.#place = place
    const home = mkdtempSync(join(dirname(place), 'home-'))
    // What curl is told for every request: the status comes last.
    writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n')
    const surroundings = newcomersEnvironment(home, withThisNode)
    this.#environment = {
      ...surroundings,
      ...{ SC_BASE_URL: demo.baseUrl, SC_API_KEY: demo.key, npm_config_prefix: join(home, 'global') },
      // A receiver takes any free port.
      PORT: '0',
      PATH: [join(place, 'node_modules/.bin'), surroundings.PATH].join(delimiter),
    }
  }

  shell(source: string, cwd = this.#place): Outcome {
    return this.#run('bash', ['-e', '-o', 'pipefail', '-c', this.here(source)], cwd)
  }

  /** A whole program, as a module. */
  node(program: string, source: string, ending = 'mjs'): Outcome {
    const file = join(this.#place, `sample-${++this.#programs}.${ending}`)
    writeFileSync(file, this.here(source))
    return this.#run(program, [file], this.#place)
  }

  python(program: string, source: string): Outcome {
    return this.#run(program, ['-c', this.here(source)], this.#place)
  }

  /** The text with this demo's address and key in the places where a reader writes his own. */
  here(source: string): string {
    const { baseUrl, adminUrl, key } = this.demo
    return source
      .replaceAll('http://127.0.0.1:8080', baseUrl)
      .replaceAll('http://127.0.0.1:8081', adminUrl)
      .replaceAll(/https:\/\/api\.clinic-data\.example\b/g, baseUrl)
      .replaceAll(/sk_live_…|(?<=SC_API_KEY=)…/g, key)
  }

  #run(program: string, argv: string[], cwd: string): Outcome {
    const { status, stdout, stderr } = spawnSync(program, argv, {
      ...{ cwd, env: this.#environment, encoding: 'utf8', timeout: 120_000, input: '', maxBuffer: 64 * 1024 * 1024 },
    })
    return { code: status, stdout, stderr }
  }
}

export function markdownFiles(): string[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`)
  const docs = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  return ['README.md', ...packages, ...docs].filter((file) => existsSync(join(root, file)))
}
