// The files for containers: what they set is a setting, what they run is a command, and what asks for their health tells it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { settingNames } from '@clinic-data/installation/settings/setting-names'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** As its reader does: the keys of a map are told apart, what stands twice or cannot be read is a fault. */
function documentsOf(path: string): unknown[] {
  return [parseAllDocuments(read(path), { merge: true, strict: true, uniqueKeys: true })].flat().map((document) => {
    assert.deepEqual([...document.errors, ...document.warnings], [], path)
    return document.toJS()
  })
}

interface Service {
  readonly image: string
  readonly command?: unknown
  readonly environment?: Record<string, unknown>
  readonly env_file?: readonly { path: string; required: boolean }[]
  readonly healthcheck?: { readonly test: unknown }
  readonly mem_limit?: string
  readonly logging?: { readonly options: Record<string, string> }
}

interface Container {
  readonly image: string
  readonly args: unknown
  readonly env: readonly { readonly name: string }[]
  readonly envFrom: readonly { readonly secretRef: { readonly name: string; readonly optional: boolean } }[]
  readonly resources: { readonly limits: { readonly memory?: string } }
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
}

interface Probe {
  readonly httpGet: { readonly path: string }
  readonly periodSeconds: number
  readonly failureThreshold?: number
}

const [compose] = documentsOf('deploy/compose/compose.yaml') as [{ services: Record<string, Service> }]
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.includes('clinicd'))

const kubernetes = globSync('deploy/kubernetes/**/*.yaml', { cwd: root }).flatMap(documentsOf) as {
  kind?: string
  metadata?: { name: string; annotations?: Record<string, string> }
  spec?: { template?: { spec: { containers: Container[] } } }
}[]
const containers = kubernetes
  .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
  .filter(({ image }) => image === 'clinicd')

const areTexts = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
const unknownOf = (names: readonly string[]) => names.filter((name) => !(settingNames as string[]).includes(name))

test('each service of compose runs what it says, in a bounded memory and with a bounded log', () => {
  assert.equal(ours.length, 6)
  for (const [name, { command, healthcheck, logging, mem_limit }] of services) {
    for (const words of [command, healthcheck?.test])
      assert.ok(words === undefined || areTexts(words), `${name}: ${JSON.stringify(words)}`)
    assert.ok(mem_limit && logging?.options['max-size'] && logging.options['max-file'], name)
  }
  for (const [name, { healthcheck }] of ours) assert.ok(healthcheck, name)
})

test('compose and Kubernetes set only what is a setting, and take every other one from a file or a secret', () => {
  for (const [name, { environment = {}, env_file = [] }] of ours) {
    assert.deepEqual(unknownOf(Object.keys(environment)), [], name)
    assert.ok(
      Object.values(environment).every((value) => typeof value === 'string'),
      name,
    )
    assert.deepEqual(env_file, [{ path: name.startsWith('gateway') ? 'gateway.env' : 'settings.env', required: false }])
  }
  assert.equal(containers.length, 4)
  for (const { args, env, envFrom, resources } of containers) {
    assert.ok(areTexts(args))
    assert.deepEqual(unknownOf(env.map(({ name }) => name)), [])
    const [role] = (args as string[]).slice(-1)
    const secret = role === 'gateway' ? 'clinicd-gateway-settings' : 'clinicd-settings'
    assert.deepEqual(envFrom, [{ secretRef: { name: secret, optional: true } }])
    assert.ok(resources.limits.memory)
  }
})

test('compose and Kubernetes give every role the settings that all roles share', () => {
  const serving = containers.filter(({ args }) => String(args).startsWith('serve'))
  const sets = [
    ...ours.map(([, { environment = {} }]) => Object.keys(environment)),
    ...serving.map(({ env }) => env.map(({ name }) => name)),
  ]
  assert.ok(serving.length >= 3)
  for (const names of sets)
    for (const shared of ['BASE_URL', 'CONSOLE_URL', 'SECRET_KEYS']) assert.ok(names.includes(shared), `${names}`)
})

test('Kubernetes asks whether a process can serve, restarts it only if it does not answer, and gives migrations an hour', () => {
  const serving = containers.filter(({ args }) => (args as string[]).includes('serve'))
  assert.equal(serving.length, 3)
  for (const { args, startupProbe, readinessProbe, livenessProbe } of serving) {
    assert.equal(readinessProbe?.httpGet.path, '/readyz')
    assert.equal(livenessProbe?.httpGet.path, '/healthz')
    // A gateway has no tables.
    if ((args as string[]).includes('gateway')) continue
    assert.equal(startupProbe?.httpGet.path, '/healthz')
    assert.equal(startupProbe.periodSeconds * (startupProbe.failureThreshold ?? 0), 3_600)
  }
})

test('neither the ingress nor PostgreSQL writes into its log what may name a patient', () => {
  const ingresses = kubernetes.filter(({ kind }) => kind === 'Ingress')
  assert.equal(ingresses.length, 2)
  for (const { metadata } of ingresses)
    assert.equal(metadata?.annotations?.['nginx.ingress.kubernetes.io/enable-access-log'], 'false')
  const databases = kubernetes.flatMap(({ metadata, spec }) =>
    metadata?.name === 'postgres' ? (spec?.template?.spec.containers ?? []) : [],
  )
  for (const words of [...databases.map(({ args }) => args), compose.services.postgres?.command]) {
    assert.match(String(words), /-c,log_min_error_statement=panic/)
    assert.match(String(words), /-c,log_error_verbosity=terse/)
  }
  assert.equal(databases.length, 1)
})

test('the ingress of the console waits for a lasting answer as long as the other front proxies', () => {
  const [nginx, caddy] = ['deploy/nginx.conf', 'deploy/Caddyfile'].map(read)
  const inMinutes = [
    /proxy_read_timeout (\d+)m;/.exec(nginx ?? ''),
    /response_header_timeout (\d+)m\n/.exec(caddy ?? ''),
  ]
  const annotations = kubernetes.find(({ kind, metadata }) => kind === 'Ingress' && metadata?.name === 'console')
  const waits = annotations?.metadata?.annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout']
  assert.deepEqual(inMinutes.map((found) => Number(found?.[1]) * 60).map(String), [waits, waits])
})

/** Older ones know no components. */
const OLDEST_KUBECTL = 21
const kubectl = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' })
const minor = Number(/"gitVersion": *"v1\.(\d+)/.exec(kubectl.stdout ?? '')?.[1])
const noKubectl = minor >= OLDEST_KUBECTL ? false : 'no kubectl on this machine, or an old one'

test('kustomize builds the service and the migration, both of one image', { skip: noKubectl }, () => {
  const images = ['deploy/kubernetes', 'deploy/kubernetes/migrate'].map((folder) => {
    const { stdout, stderr, status } = spawnSync('kubectl', ['kustomize', folder], { cwd: root, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    const built = parseAllDocuments(stdout).map((document) => document.toJS())
    const objects = built as (typeof kubernetes)[number][]
    return objects.flatMap(({ spec }) => spec?.template?.spec.containers ?? []).map(({ image }) => image)
  })
  const [served, migrated] = images.map((names) => names.filter((name) => name.includes('clinicd')))
  assert.equal(served?.length, 3)
  assert.equal(migrated?.length, 1)
  assert.equal(new Set([...(served ?? []), ...(migrated ?? [])]).size, 1)
  assert.match(String(migrated), /:\d+\.\d+\.\d+$/)
})

test('the checks of health say what the process says', async (t) => {
  let status = 200
  const paths = new Set<string | undefined>()
  const server = createServer(({ url }, response) => {
    paths.add(url)
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const port = String((server.address() as AddressInfo).port)
  const inImage = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(read('deploy/Containerfile'))?.[1] ?? assert.fail()
  const inCompose = ours.flatMap(([, { healthcheck }]) => (healthcheck ? [healthcheck.test as string[]] : []))
  const checks: string[][] = [JSON.parse(inImage), ...inCompose.map((words) => words.slice(1))]
  const programs = new Set(checks.map(([, , program]) => program ?? assert.fail()))
  assert.equal(programs.size, 2)
  for (const program of programs) {
    const ask = async () => {
      const child = spawn(process.execPath, ['-e', program.replaceAll('8081', port)], { env: { ADMIN_PORT: port } })
      return (await once(child, 'exit'))[0]
    }
    status = 200
    assert.equal(await ask(), 0)
    status = 503
    assert.equal(await ask(), 1)
  }
  // In an image by itself nobody knows what its process needs; in compose all that it needs is there.
  assert.deepEqual([...paths], ['/healthz', '/readyz'])
})

test('the image has the command by its name, and runs it', async (t) => {
  const file = read('deploy/Containerfile')
  const program = /printf '(.*)' > \/usr\/local\/bin\/clinicd/.exec(file)?.[1] ?? assert.fail()
  assert.match(file, /^COPY --from=build .*\/usr\/local\/bin\/clinicd \/usr\/local\/bin\/$/m)
  assert.match(file, /^ENTRYPOINT \["\/usr\/local\/bin\/clinicd"\]$/m)
  const folder = mkdtempSync(join(tmpdir(), 'clinicd-image-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'clinicd')
  const here = program.replaceAll('\\n', '\n').replace('/usr/local/bin/node', process.execPath)
  writeFileSync(path, here.replace('/opt/clinicd', root))
  chmodSync(path, 0o755)
  const child = spawn(path, ['--version'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [out] = await Promise.all([text(child.stdout), once(child, 'exit')])
  assert.match(out, /^\d+\.\d+\.\d+/)
})
