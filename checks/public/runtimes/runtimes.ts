// The SDK for TypeScript in each runtime that its README names: the README's own lines install the package that a running service serves
// and run a program, which makes calls of each kind and meets each kind of failure. A runtime without a binary for this machine is skipped.
//
//   node checks/public/runtimes/runtimes.ts [name]    all runtimes, or one
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { packagesOnDemand } from '@clinic-data/server/packages-on-demand'
import pino from 'pino'
import { type Access, withService } from '../running-service.ts'
import { withFaultyService } from './faulty-service.ts'
import { signedDelivery } from './signed-delivery.ts'

/** A row of the README's table. */
interface Runtime {
  readonly name: string
  readonly version: string
  readonly install: string
  readonly run: string
}

const root = dirname(dirname(dirname(import.meta.dirname)))
const PROGRAM = join(import.meta.dirname, 'program.ts')
const modules = join(import.meta.dirname, '../node_modules')
/** For the install and the program of one runtime, on a busy machine. */
const LIMIT_MS = 120_000
/** The packages hold the binary of this platform alone, and need no script of their own to bring it. */
const BINARIES: Readonly<Record<string, string>> = {
  Bun: '@oven/bun-*/bin/bun{,.exe}',
  Deno: '@deno/*/deno{,.exe}',
}

const ROW = /^\| (?<name>[\w.]+) \| (?<version>[\d.]+) \| `(?<install>[^`]+)` \| `(?<run>[^`]+)` \|$/gm
const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8')
const runtimes = [...readme.matchAll(ROW)].map(({ groups }) => ({ ...groups }) as unknown as Runtime)
assert.deepEqual(
  runtimes.map(({ name }) => name),
  ['Node.js', ...Object.keys(BINARIES)],
  'the runtimes of the README',
)
const TYPED = `
import type { ClinicDataClient, Patient } from '@clinic-data/client'
export async function names(client: ClinicDataClient): Promise<string[]> {
  const nameOf = ({ first_name }: Patient) => first_name ?? ''
  // @ts-expect-error a patient has no such field
  await client.patients.get('p1').then(({ data }) => data.nam)
  return (await client.patients.list({ limit: 2 })).data.map(nameOf)
}
`

const [only] = process.argv.slice(2)
/** What the program says, each after what it promises, in its order. */
const promises = [...readFileSync(PROGRAM, 'utf8').matchAll(/^await promise\(\s*'(.+?)',/gm)].map(([, words]) => words)
const folder = mkdtempSync(join(tmpdir(), 'clinic-data-runtimes-'))
const run = promisify(execFile)
try {
  const packages = packagesOnDemand({ log: pino({ level: 'silent' }) })
  await withService(
    async (access) => {
      for (const runtime of runtimes.filter(({ name }) => only === undefined || name === only)) {
        const program = programOf(runtime.name)
        if (program === undefined) {
          const machine = `${process.platform} ${process.arch}`
          process.stdout.write(
            `the SDK in ${runtime.name}: skipped, because its package has no binary for ${machine}\n`,
          )
        } else await check(runtime, program, access)
      }
    },
    { packages },
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function programOf(name: string): string | undefined {
  const pattern = BINARIES[name]
  return pattern === undefined
    ? process.execPath
    : globSync(pattern, { cwd: modules }).map((file) => join(modules, file))[0]
}

async function check({ name, version, install, run: line }: Runtime, program: string, access: Access): Promise<void> {
  const place = join(folder, name)
  mkdirSync(place)
  copyFileSync(PROGRAM, join(place, 'program.ts'))
  writeFileSync(join(place, 'package.json'), '{"private":true,"type":"module"}')
  const env = environment(place, program, access)
  const told = spawnSync(program, ['--version'], { encoding: 'utf8', env }).stdout
  assert.match(
    told,
    new RegExp(`(^|\\D)${version.replaceAll('.', '\\.')}(\\D|$)`, 'm'),
    `the README names ${name} ${version}`,
  )
  const started = performance.now()
  // Not waited for in this thread, where the service runs.
  await run('sh', ['-c', install], { cwd: place, env, timeout: LIMIT_MS })
  // Deno has a type checker of its own, which reads the package's declarations without those of Node.js.
  if (name === 'Deno') {
    writeFileSync(join(place, 'typed.ts'), TYPED)
    await run('deno', ['check', 'typed.ts'], { cwd: place, env, timeout: LIMIT_MS })
  }
  await withFaultyService(access.url, async (url) => {
    const { stdout } = await run('sh', ['-c', line], {
      cwd: place,
      env: { ...env, SC_BASE_URL: url },
      timeout: LIMIT_MS,
    })
    assert.deepEqual(stdout.trim().split('\n'), promises)
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`the SDK in ${name} ${version}: kept ${promises.length} promises (${seconds} s)\n`)
}

/** A home of its own, and nothing of the npm that started this. */
function environment(place: string, program: string, { url, key }: Access): NodeJS.ProcessEnv {
  return {
    PATH: [dirname(program), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: join(place, 'home'),
    // npm 12 asks for it.
    npm_config_allow_remote: 'root',
    npm_config_loglevel: 'error',
    DENO_NO_UPDATE_CHECK: '1',
    SC_BASE_URL: url,
    SC_API_KEY: key,
    RUN: basename(place),
    SIGNED_DELIVERY: JSON.stringify(signedDelivery),
  }
}
