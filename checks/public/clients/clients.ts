// The clients that public generators make from the OpenAPI document: each is made, compiled, and makes a call of each kind (two pages, a
// read, a lead, a payment, a subscription, a query) to a running service. A generator whose programs are missing is skipped.
//
//   node checks/public/clients/clients.ts [name]    all generators, or one; what they download is kept in ~/.cache
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { type Access, withService } from '../running-service.ts'
import { type Generator, generators, openapiGeneratorJar } from './generators.ts'

const here = import.meta.dirname
/** Of `checks/public`, with the generators and the compiler for TypeScript. */
const modules = join(here, '../node_modules')
const cache = process.env.CLIENTS_CACHE ?? join(homedir(), '.cache', 'clinic-data-clients')
const folder = mkdtempSync(join(tmpdir(), 'clinic-data-clients-'))
const document = join(folder, 'openapi.json')
const table = readFileSync(join(here, '../../../docs/clients.md'), 'utf8')

const [only] = process.argv.slice(2)
const wanted = generators.filter(({ name }) => only === undefined || name === only)
const tried = wanted.filter((generator) => isPossible(generator))
const failed: string[] = []
/** For one client, with its downloads. */
const LIMIT_MS = 300_000
const AT_ONCE = 2
const run = promisify(execFile)
try {
  mkdirSync(cache, { recursive: true })
  await withService(async (access) => {
    const answer = await fetch(`${access.url}/v1/openapi.json`)
    writeFileSync(document, await answer.text())
    const targets = tried.filter(({ generator }) => generator === openapiGeneratorJar.generator)
    if (targets.length > 0) await generate(targets.map(({ name }) => name))
    const waiting = tried.values()
    await Promise.all(Array.from({ length: AT_ONCE }, () => tryEach(waiting, access)))
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (failed.length > 0) {
  process.stderr.write(`these generated clients failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}

function isPossible({ name, language, generator, version, needs }: Generator): boolean {
  const row = `| ${language} | ${generator} | ${version} | `
  if (!table.includes(row)) throw new Error(`docs/clients.md has no row "${row}"`)
  const missing = needs.filter((program) => spawnSync('which', [program]).status !== 0)
  if (missing.length > 0) process.stdout.write(`${name}: skipped, because ${missing.join(' and ')} is missing\n`)
  return missing.length === 0
}

/** Runs openapi-generator once for all its languages. */
async function generate(targets: readonly string[]): Promise<void> {
  const jar = join(cache, basename(openapiGeneratorJar.url))
  if (!existsSync(jar)) await download(jar)
  const settings = targets.map((target) => {
    const file = join(folder, `${target}.json`)
    const outputDir = join(folder, target)
    writeFileSync(file, JSON.stringify({ generatorName: target, inputSpec: document, outputDir }))
    return file
  })
  const argv = ['-XX:TieredStopAtLevel=1', '-jar', jar, 'batch', '--fail-fast', '--threads', '1', ...settings]
  await run('java', argv, { maxBuffer: 100_000_000 })
}

async function download(jar: string): Promise<void> {
  const { url, sha256 } = openapiGeneratorJar
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`openapi-generator could not be downloaded: ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new Error(`${url} is not what it was`)
  writeFileSync(`${jar}.part`, bytes)
  renameSync(`${jar}.part`, jar)
}

async function tryEach(waiting: Iterable<Generator>, access: Access): Promise<void> {
  for (const generator of waiting) if (!(await passes(generator, access))) failed.push(generator.name)
}

async function passes({ name, version }: Generator, { url, key }: Access): Promise<boolean> {
  const started = Date.now()
  const out = join(folder, name)
  mkdirSync(out, { recursive: true })
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([variable]) => !variable.startsWith('npm_'))),
    PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}`,
    HERE: join(here, name),
    MODULES: modules,
    OUT: out,
    CACHE: cache,
    VERSION: version,
    DOCUMENT: document,
    BASE_URL: url,
    SC_API_KEY: key,
    RUN: `${name}-${started}`,
  }
  // Not waited for in this thread, where the service runs.
  const fault = await run('bash', [join(here, name, 'run.sh')], { env, timeout: LIMIT_MS }).then(
    () => null,
    (error: Error & { stdout?: string; stderr?: string }) => `${error.message}\n${error.stdout}${error.stderr}`,
  )
  const seconds = Math.round((Date.now() - started) / 1000)
  process.stdout.write(`${name} ${version}: ${fault === null ? 'all calls succeeded' : 'failed'} (${seconds} s)\n`)
  if (fault !== null) process.stderr.write(`${fault}\n`)
  return fault === null
}
