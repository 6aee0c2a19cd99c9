// The clients that public generators make from the OpenAPI document: each is made, compiled, and makes a call of each kind (two pages, a
// read, a lead, a payment, a subscription, a query, a page of the feed) to a running
// service, whose answers hold what a later release could add. A generator whose programs are missing is skipped.
//
//   node checks/public/clients/clients.ts [name]    all generators, or one; what they download is kept in ~/.cache
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type Access, withService } from '../running-service.ts'
import { type Generator, generators } from './generators.ts'
import { withLaterService } from './later-service.ts'

const here = import.meta.dirname
/** With the generators and the compiler for TypeScript. */
const modules = join(here, '../node_modules')
const cache = process.env.CLIENTS_CACHE ?? join(homedir(), '.cache', 'clinic-data-clients')
const folder = mkdtempSync(join(tmpdir(), 'clinic-data-clients-'))

const [only] = process.argv.slice(2)
const wanted = generators.filter(({ name }) => only === undefined || name === only)
const waiting = wanted.filter((generator) => isPossible(generator)).values()
const failed: string[] = []
/** For one client, with its downloads. On a busy machine Java has taken five minutes. */
const LIMIT_MS = 600_000
const AT_ONCE = 2
const run = promisify(execFile)
try {
  mkdirSync(cache, { recursive: true })
  await withService(async (access) => {
    const document = await (await fetch(`${access.url}/v1/openapi.json`)).text()
    // A client must read answers that are newer than itself.
    await withLaterService(access.url, async (url) => {
      await Promise.all(Array.from({ length: AT_ONCE }, () => tryEach(document, { ...access, url })))
    })
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (failed.length > 0) {
  process.stderr.write(`these generated clients failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}

function isPossible({ name, needs }: Generator): boolean {
  const missing = needs.filter((it) => (it.startsWith('/') ? !existsSync(it) : spawnSync('which', [it]).status !== 0))
  if (missing.length > 0) process.stdout.write(`${name}: skipped, because there is no ${missing.join(' and no ')}\n`)
  return missing.length === 0
}

async function tryEach(document: string, access: Access): Promise<void> {
  for (const generator of waiting) if (!(await passes(generator, document, access))) failed.push(generator.name)
}

async function passes(generator: Generator, document: string, { url, key }: Access): Promise<boolean> {
  const { name, version, line, firstCalls } = generator
  const started = Date.now()
  const out = join(folder, name)
  mkdirSync(out)
  writeFileSync(join(out, 'openapi.json'), document)
  if (firstCalls !== null) writeFileSync(join(out, 'first-calls'), firstCalls)
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([variable]) => !variable.startsWith('npm_'))),
    PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}`,
    HERE: join(here, name),
    MODULES: modules,
    CACHE: cache,
    VERSION: version,
    LINE: line,
    BASE_URL: url,
    // Readers call it so.
    SC_BASE_URL: url,
    SC_API_KEY: key,
    RUN: `${name}-${started}`,
  }
  // Not waited for in this thread, where the service runs.
  const fault = await run('bash', [join(here, name, 'run.sh')], { cwd: out, env, timeout: LIMIT_MS }).then(
    () => null,
    (error: Error & { stdout?: string; stderr?: string }) => `${error.message}\n${error.stdout}${error.stderr}`,
  )
  const seconds = Math.round((Date.now() - started) / 1000)
  process.stdout.write(`${name} ${version}: ${fault === null ? 'all calls succeeded' : 'failed'} (${seconds} s)\n`)
  if (fault !== null) process.stderr.write(`${fault}\n`)
  return fault === null
}
