// The published packages as a user meets them: the tarballs in an empty folder, on the machine's own Node.js. The SDK's quick start
// runs, `sc` answers, and other programs compile. Run by `npm run test:newcomer`. It needs the package registry.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { after, before } from 'node:test'
import { allOperations } from '@clinic-data/contract'
import { codeSamples } from '@clinic-data/contract/projections/code-samples'
import { type Manifest, type Staged, stagePackages } from '../../scripts/stage-packages.ts'
import { type DemoService, demoService, newcomersEnvironment } from './newcomer-environment.ts'

const root = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'packages-'))
/** A folder that holds only the installed packages. */
const empty = join(folder, 'empty')
const environment = newcomersEnvironment(join(folder, 'home'))

let staged: readonly Staged[]
let service: DemoService
/** The token of the service's backend port. */
const BACKEND_TOKEN = randomBytes(24).toString('hex')

before(async () => {
  staged = stagePackages(join(folder, 'staged'))
  mkdirSync(empty)
  writeFileSync(join(empty, 'package.json'), '{"private":true,"type":"module"}')
  const tarballs = staged.map(({ tarball }) => tarball)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], inEmpty())
  service = await demoService(join(folder, 'data'), { BACKEND_TOKEN })
})
after(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function inEmpty(more: NodeJS.ProcessEnv = {}) {
  return { cwd: empty, encoding: 'utf8', env: { ...environment, ...more } } as const
}

/** Runs a program on the machine's own Node.js. */
function node(...argv: string[]) {
  return spawnSync('node', argv, inEmpty(service.access))
}

test('exactly the contract, the client, sc and the conformance kit are published, with all their imports declared', () => {
  assert.deepEqual(
    staged.map(({ name }) => name),
    ['@clinic-data/cli', '@clinic-data/client', '@clinic-data/conformance', '@clinic-data/contract'],
  )
  for (const { folder } of staged) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    assert.equal(manifest.devDependencies, undefined)
    const imported = globSync('dist/**/*.{js,d.ts}', { cwd: folder }).flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /^(?:import|export)\b[^'"]*?from ?['"]([^.'"][^'"]*)['"]/gm,
        ),
      ].map(([, name = '']) => name),
    )
    const packages = imported
      .filter((name) => !name.startsWith('node:'))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    for (const name of new Set(packages)) assert.ok(name in (manifest.dependencies ?? {}), `${manifest.name}: ${name}`)
  }
})

test('every export of the contract and the client loads on the machine’s own Node.js', () => {
  const modules = staged
    .filter(({ name }) => name === '@clinic-data/contract')
    .flatMap(({ name, folder }) => {
      const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return Object.keys(exports).flatMap((place) => (place.endsWith('.json') ? [] : name + place.slice(1)))
    })
    .concat('@clinic-data/client')
  assert.ok(modules.length > 50)
  const { status, stderr } = node(
    '--eval',
    modules.map((name) => `await import('${name}')`).join('\n'),
    '--input-type=module',
  )
  assert.deepEqual([status, stderr], [0, ''])
})

test('the SDK’s quick start runs as its README shows it', () => {
  const readme = readFileSync(join(empty, 'node_modules/@clinic-data/client/README.md'), 'utf8')
  const program = /```js\n(.*?)```/s.exec(readme)?.[1] ?? assert.fail('no quick start')
  writeFileSync(join(empty, 'quick-start.js'), program)
  const { status, stdout, stderr } = node('quick-start.js')
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, /^demo .*patients:read/)
  assert.ok(stdout.split('\n').length > 10)
})

test('sc runs from its tarball: the command tree, the key’s clinic, a list', () => {
  const sc = (...argv: string[]) => spawnSync(join(empty, 'node_modules/.bin/sc'), argv, inEmpty(service.access))
  const schema = sc('schema')
  assert.deepEqual([schema.status, schema.stderr], [0, ''])
  assert.deepEqual(
    JSON.parse(schema.stdout),
    JSON.parse(readFileSync(join(root, 'packages/cli/golden/schema.json'), 'utf8')),
  )
  assert.match(sc('whoami').stdout, /demo/)
  assert.equal(JSON.parse(sc('patients', 'list', '--limit', '3', '--format', 'json').stdout).data.length, 3)
})

test('a vendor checks a backend with the conformance kit and the contract alone', () => {
  const vendor = join(folder, 'vendor')
  mkdirSync(vendor)
  writeFileSync(join(vendor, 'package.json'), '{"private":true}')
  const tarballs = staged.filter(({ name }) => /conformance|contract/.test(name)).map(({ tarball }) => tarball)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...tarballs], {
    ...inEmpty(),
    cwd: vendor,
  })
  assert.deepEqual(readdirSync(join(vendor, 'node_modules/@clinic-data')), ['conformance', 'contract'])
  const kit = (argv: readonly string[], secrets: NodeJS.ProcessEnv) =>
    spawnSync(join(vendor, 'node_modules/.bin/clinic-data-conformance'), argv, { ...inEmpty(secrets), cwd: vendor })
  const secrets = { BACKEND_TOKEN, CLINIC_KEY: service.access.SC_API_KEY }
  const { status, stdout, stderr } = kit(['--backend', service.backendUrl], secrets)
  assert.deepEqual([status, stderr], [0, ''], stdout)
  assert.match(stdout, /^No rule failed: \d{2} held/m)
  assert.match(kit(['--help'], {}).stdout, /CLINIC_KEY.*Exit codes/s)
  const refused = kit(['--backend', service.backendUrl], { ...secrets, BACKEND_TOKEN: 'x'.repeat(32) })
  assert.deepEqual([refused.status, refused.stdout], [2, ''])
  assert.match(refused.stderr, /^clinic-data-conformance: the backend refuses the token\n/)
})

const consumer = `
import { ClinicDataClient, NotFoundError, ProblemError, verifyWebhook, type EventEnvelope, type OutputOf } from '@clinic-data/client'
import { problems } from '@clinic-data/contract/problems'

export async function all(apiKey: string, query: string | undefined): Promise<string[]> {
  const client = new ClinicDataClient({ apiKey, baseUrl: 'https://api.clinic.example', timeoutMs: 1000 })
  const names: string[] = []
  for await (const { first_name } of client.patients.list({ query })) names.push(first_name ?? '')
  const owed: number | undefined = (await client.patients.get('p1', { response_format: 'detailed' })).data.balance?.amount
  const lead: OutputOf<'leads.create'> = await client.leads.create({ first_name: 'Dana', phone: '050', source: 'website' })
  // @ts-expect-error there is no such source
  await client.leads.create({ first_name: 'Dana', phone: '050', source: 'elsewhere' })
  // @ts-expect-error amounts are numbers
  await client.payments.create('p1', { amount: '350', method_type: 'cash' })
  return [...names, String(owed), lead.data.id]
}

export function status(error: unknown): number {
  if (error instanceof NotFoundError) return problems['not-found'][0]
  return error instanceof ProblemError ? error.status : 0
}

export function named(secret: string, headers: Record<string, string>, body: string): string {
  const event: EventEnvelope = verifyWebhook({ secret, headers, body })
  return event.type === 'patient.created' ? (event.data.first_name ?? '') : event.data.id
}
`

/** Writes every call that the reference shows as a separate program. */
const samples = allOperations.flatMap((operation) =>
  codeSamples(operation).flatMap(({ lang, source }) => (lang === 'TypeScript' ? [`{\n${source}\n}`] : [])),
)
const documented = `export async function documented(client: ClinicDataClient): Promise<void> {\n${samples.join('\n')}\n}`

const nodeTypes = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')], lib: ['es2023'] }
const browserTypes = { types: [], lib: ['es2023', 'dom'] }
const compilers: Record<string, object> = {
  'nodenext, with the types of Node.js': { module: 'nodenext', moduleResolution: 'nodenext', ...nodeTypes },
  'nodenext, with the types of the web': { module: 'nodenext', moduleResolution: 'nodenext', ...browserTypes },
  'bundler, with the types of the web': { module: 'esnext', moduleResolution: 'bundler', ...browserTypes },
}
for (const [name, compilerOptions] of Object.entries(compilers)) {
  test(`a program of others compiles against the tarballs: strict, ${name}`, () => {
    writeFileSync(join(empty, 'consumer.ts'), consumer + documented)
    const options = { strict: true, noEmit: true, target: 'es2023', skipLibCheck: false, ...compilerOptions }
    writeFileSync(join(empty, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }))
    const tsc = join(root, 'node_modules/.bin/tsc')
    const { status, stdout } = spawnSync(tsc, ['-p', '.'], { cwd: empty, encoding: 'utf8' })
    assert.deepEqual([stdout, status], ['', 0])
  })
}
