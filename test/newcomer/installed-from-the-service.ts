// Does like a newcomer what the reference says on installing: the two npm lines in an empty folder, then a program and `sc`. The package
// registry is out of reach: the service is enough. Then pip's line, which fetches httpx from the registry of Python. Run by
// `npm run test:newcomer`. Otherwise it needs a registry only for npm 12 itself.
import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { after, before } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type DemoService, demoService, installNpm, newcomersEnvironment } from './newcomer-environment.ts'

const root = dirname(dirname(import.meta.dirname))
const folder = mkdtempSync(join(tmpdir(), 'installed-'))
let service: DemoService

before(async () => {
  service = await demoService(join(folder, 'data'))
})
after(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The npm lines of the Install page. */
async function documentedLines(): Promise<string[]> {
  const page = await (await fetch(`${service.access.SC_BASE_URL}/docs/install`)).text()
  return [...page.matchAll(/(npm install [^<\n]*http[^<\n]*\.tgz)/g)].map(([, line = '']) => line)
}

interface Newcomer {
  /** An empty folder. */
  readonly place: string
  run(line: string, more?: NodeJS.ProcessEnv): Promise<SpawnSyncReturns<string>>
}

/** Somebody with an own home and no registry. With an `npm`, that one instead of the machine's. */
function newcomer(
  name: string,
  { withThisNode = false, npm }: { withThisNode?: boolean; npm?: string } = {},
): Newcomer {
  const place = join(folder, name, 'place')
  mkdirSync(place, { recursive: true })
  const environment = {
    ...newcomersEnvironment(join(folder, name, 'home'), withThisNode),
    npm_config_registry: 'http://127.0.0.1:9/',
    // Nothing comes later from where nothing is.
    npm_config_fetch_retries: '0',
    npm_config_prefix: join(folder, name, 'global'),
  }
  const lineOf = (line: string) => (npm ? line.replace(/^npm /, `node ${npm} --allow-remote=root `) : line)
  return {
    place,
    // Not `spawnSync`: the test's own server must be able to answer.
    async run(line, more = {}) {
      const child = spawn('sh', ['-c', lineOf(line)], {
        cwd: place,
        env: { ...environment, ...service.access, ...more },
      })
      const output = { stdout: '', stderr: '' }
      for (const stream of ['stdout', 'stderr'] as const) child[stream].on('data', (chunk) => (output[stream] += chunk))
      const [status] = await once(child, 'close')
      return { ...output, status, pid: child.pid ?? 0, output: [], signal: null }
    },
  }
}

const plain = `
import { ClinicDataClient } from '@clinic-data/client'
const client = new ClinicDataClient({ apiKey: process.env.SC_API_KEY, baseUrl: process.env.SC_BASE_URL })
const page = await client.patients.list({ limit: 2 })
const ids = []
for await (const { id } of client.patients.list({ limit: 100 })) if (ids.push(id) === 5) break
console.log(JSON.stringify([page.data.length, page.next_cursor !== null, ids.length]))
`
const typed = `
import { ClinicDataClient } from '@clinic-data/client'
import type { Appointment, Patient } from '@clinic-data/client'
declare const client: ClinicDataClient
export const nameOf = (patient: Patient): string => patient.first_name ?? ''
export async function first(): Promise<Patient | undefined> {
  const { data, next_cursor } = await client.patients.list({ limit: 1 })
  const cursor: string | null = next_cursor
  for await (const appointment of client.appointments.list(cursor === null ? {} : { cursor })) {
    const start: Appointment['start'] = appointment.start
    // @ts-expect-error an appointment has no such field
    void [start, appointment.beginning]
  }
  return data[0]
}
`

const people: Record<string, () => Newcomer | Promise<Newcomer>> = {
  'the machine’s own Node.js and npm': () => newcomer('own'),
  'the Node.js of this project': () => newcomer('newer', { withThisNode: true }),
  'npm 12': async () => newcomer('npm-12', { withThisNode: true, npm: await installNpm('12', folder) }),
}
for (const [name, arrive] of Object.entries(people)) {
  test(`with ${name}, the two documented lines install the SDK and sc, which work, from the service alone`, async () => {
    const person = await arrive()
    const lines = await documentedLines()
    assert.deepEqual(
      lines.map((line) => line.replace(service.access.SC_BASE_URL, '{base}')),
      ['npm install {base}/packages/client.tgz', 'npm install --global {base}/packages/sc.tgz'],
    )
    for (const line of lines) {
      const { status, stderr } = await person.run(line)
      assert.equal(status, 0, stderr)
    }
    writeFileSync(join(person.place, 'plain.mjs'), plain)
    const { stdout, stderr } = await person.run('node plain.mjs')
    assert.deepEqual([stdout, stderr], ['[2,true,5]\n', ''])
    const whoami = await person.run(`${join(dirname(person.place), 'global/bin/sc')} whoami`)
    assert.match(whoami.stdout, /demo/, whoami.stderr)
  })
}

test('a typed program compiles, with the types of the resources', async () => {
  const person = newcomer('typed')
  await person.run((await documentedLines())[0] ?? '')
  writeFileSync(join(person.place, 'typed.mts'), typed)
  const argv = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', '', 'typed.mts']
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), argv, {
    cwd: person.place,
    encoding: 'utf8',
  })
  assert.deepEqual([stdout, status], ['', 0])
})

const inPython = `
import asyncio, os
from itertools import islice
from clinic_data import AsyncClinicDataClient, ClinicDataClient
access = {"base_url": os.environ["SC_BASE_URL"], "api_key": os.environ["SC_API_KEY"]}
with ClinicDataClient(**access) as client:
    page = client.patients.list(limit=2).page()
    print(len(page.data), len(list(islice(client.patients.list(limit=3), 5))))
async def main() -> None:
    async with AsyncClinicDataClient(**access) as client:
        print((await client.me.get())["clinic_id"])
asyncio.run(main())
`

test('the documented line of pip installs the SDK for Python, which works', async (t) => {
  const page = await (await fetch(`${service.access.SC_BASE_URL}/docs/install`)).text()
  const line = /python3 -m pip install [^<\n]*\.whl/.exec(page)?.[0] ?? assert.fail('no line')
  const person = newcomer('python')
  const made = await person.run('python3 -m venv venv')
  if (made.status !== 0) return t.skip(`there is no Python with venv: ${made.stderr}`)
  const within = (command: string) => person.run(`. venv/bin/activate && ${command}`)
  const { status, stderr } = await within(line)
  assert.equal(status, 0, stderr)
  writeFileSync(join(person.place, 'plain.py'), inPython)
  const ran = await within('python3 plain.py')
  assert.deepEqual([ran.stdout, ran.stderr], ['2 5\ndemo\n', ''])
})

test('the lock file pins the hash that the service lists, and npm refuses a file that was tampered with', async () => {
  const answer = await fetch(`${service.access.SC_BASE_URL}/packages/client.tgz`)
  const genuine = Buffer.from(await answer.arrayBuffer())
  const tampered = gzipSync(Buffer.from(gunzipSync(genuine).toString('latin1').replace('Bearer ', 'bearer '), 'latin1'))
  let served = genuine
  const elsewhere = createServer((_request, response) => void response.end(served))
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
  try {
    const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/packages/client.tgz`
    const person = newcomer('careful')
    assert.equal((await person.run(`npm install ${address}`)).status, 0)
    const lock = JSON.parse(readFileSync(join(person.place, 'package-lock.json'), 'utf8'))
    const list = await (await fetch(`${service.access.SC_BASE_URL}/packages`)).json()
    const listed = (list as { data: { name: string; integrity: string }[] }).data.find(({ name }) =>
      /client/.test(name),
    )
    assert.equal(lock.packages['node_modules/@clinic-data/client'].integrity, listed?.integrity)

    served = tampered
    const cold = { npm_config_cache: join(folder, 'cold-cache') }
    const refused = await person.run('npm ci', cold)
    assert.notEqual(refused.status, 0)
    assert.match(refused.stderr, /EINTEGRITY/)
    served = genuine
    assert.equal((await person.run('npm ci', cold)).status, 0)
  } finally {
    elsewhere.close()
  }
})
