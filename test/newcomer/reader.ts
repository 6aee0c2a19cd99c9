// A reader of the documentation: a demo as `npm start` makes it, the published packages in an empty folder, and each language.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePorts } from '@clinic-data/testing/free-port'
import { stagePackages, stageWheel } from '../../scripts/stage-packages.ts'
import type { Compiler } from './compiled-samples.ts'
import { newcomersEnvironment, printed } from './newcomer-environment.ts'

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
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        DATA_DIR: dataDir,
        RATE_LIMIT: '10000/60',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const { stdout } = await printed(service, /Stop with Ctrl-C/)
  const key = /sk_live_\w+/.exec(stdout)?.[0] ?? assert.fail('no key was printed')
  return {
    key,
    dataDir,
    baseUrl: `http://127.0.0.1:${port}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
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

/** The path of a Python that has the SDK, and with it httpx, or why there is none. Made once for a folder. */
export function pythonWithHttpx(folder: string): Python {
  const found = pythons.get(folder) ?? makePython(folder)
  pythons.set(folder, found)
  return found
}

function makePython(folder: string): Python {
  const place = join(folder, 'venv')
  const python = join(place, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const wheel = join(folder, 'wheel')
  mkdirSync(wheel)
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', place]],
    [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', stageWheel(wheel).file]],
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

/** Longer than any sample takes on a busy machine. */
const SAMPLE_MS = 300_000

/** Runs the samples of one reader. */
export class Reader {
  readonly demo: Demo
  /** Where programs run, and where the files are that they read. */
  readonly folder: string
  readonly #environment: NodeJS.ProcessEnv
  #programs = 0

  /**
   * @param folder in the folder of the packages, or that folder itself.
   * @param withThisNode whether programs that a shell starts run on this Node.js, and not on the machine's own.
   */
  constructor(demo: Demo, folder: string, withThisNode = false) {
    this.demo = demo
    this.folder = folder
    const home = mkdtempSync(join(dirname(demo.dataDir), 'home-'))
    // Curl reads this for every request: the status comes last.
    writeFileSync(join(home, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n')
    const environment = newcomersEnvironment(home, withThisNode)
    this.#environment = {
      ...environment,
      SC_BASE_URL: demo.baseUrl,
      SC_API_KEY: demo.key,
      npm_config_prefix: join(home, 'global'),
      // A receiver takes any free port.
      PORT: '0',
      PATH: [join(folder, 'node_modules/.bin'), join(folder, '../node_modules/.bin'), environment.PATH].join(delimiter),
    }
  }

  shell(source: string, cwd = this.folder): Promise<Outcome> {
    return this.#run('bash', ['-e', '-o', 'pipefail', '-c', this.here(source)], cwd)
  }

  /** A whole program, as a module. */
  node(program: string, source: string, ending = 'mjs'): Promise<Outcome> {
    return this.#run(program, [this.#written(source, ending)])
  }

  /** Programs one after another in one process, each as a module of its own. */
  async nodeEach(program: string, sources: readonly string[]): Promise<Outcome[]> {
    const files = sources.map((source) => this.#written(source, 'mjs'))
    return eachOf(await this.#run(program, [join(import.meta.dirname, 'one-after-another.mjs'), ...files]), sources)
  }

  python(program: string, source: string): Promise<Outcome> {
    return this.#run(program, ['-c', this.here(source)])
  }

  /** Programs one after another in one process, each with names of its own. */
  async pythonEach(program: string, sources: readonly string[]): Promise<Outcome[]> {
    const input = JSON.stringify(sources.map((source) => this.here(source)))
    const outcome = await this.#run(program, [join(import.meta.dirname, 'one-after-another.py')], this.folder, input)
    return eachOf(outcome, sources)
  }

  /** Whole programs, compiled as one, which then runs one of them at a time. @param more variables that they read. */
  async compiledEach(compiler: Compiler, sources: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Outcome[]> {
    const [program, ...words] = compiler.build(
      mkdtempSync(join(this.folder, `${compiler.program}-`)),
      sources.map((source) => this.here(source)),
    )
    const outcomes: Outcome[] = []
    for (const place of sources.keys())
      outcomes.push(await this.#run(program, [...words, String(place)], this.folder, '', more))
    return outcomes
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

  #written(source: string, ending: string): string {
    const file = join(this.folder, `sample-${++this.#programs}.${ending}`)
    writeFileSync(file, this.here(source))
    return file
  }

  async #run(program: string, argv: string[], cwd = this.folder, input = '', more = {}): Promise<Outcome> {
    const child = spawn(program, argv, { cwd, env: { ...this.#environment, ...more }, timeout: SAMPLE_MS })
    if (input === '') child.stdin.destroy()
    else child.stdin.end(input)
    const ended = once(child, 'close')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = (await ended) as [number | null]
    return { code, stdout, stderr }
  }
}

/** Returns what `one-after-another` told of each. A warning is the whole process's, and stands with each. */
function eachOf({ code, stdout, stderr }: Outcome, sources: readonly string[]): Outcome[] {
  const lines = stdout.split('\n').slice(0, -1)
  assert.deepEqual(
    [code, lines.length],
    [0, sources.length],
    `the samples ended early:\n${stdout.slice(-2_000)}\n${stderr}`,
  )
  return lines.map((line) => {
    const one = JSON.parse(line) as { stdout: string; error: string | null }
    return { code: one.error === null ? 0 : 1, stdout: one.stdout, stderr: stderr + (one.error ?? '') }
  })
}

export function markdownFiles(): string[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`)
  const docs = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  return ['README.md', ...packages, ...docs].filter((file) => existsSync(join(root, file)))
}
