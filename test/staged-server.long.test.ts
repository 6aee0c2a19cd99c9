// The released `clinicd`: as JavaScript, with the built page of the console, and the packages that the service serves.
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { type ClinicdProcess, startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import type { Staged } from '../scripts/stage-packages.ts'
import { stageServer } from '../scripts/stage-server.ts'

// Its own: the background work of a service looks at every clinic of its database.
const { url, opened } = await ownGround(schema)
const staging = join(import.meta.dirname, '../.staging')
mkdirSync(staging, { recursive: true })
/** Within the repository, so that the dependencies which npm would fetch are found. */
const folder = mkdtempSync(join(staging, 'test-'))

let staged: Staged
let service: ClinicdProcess
before(async () => {
  staged = stageServer(join(folder, 'server'))
  const program = join(staged.folder, 'packages/server/bin/clinicd.mjs')
  const environment = { DATABASE_URL: url, SECRET_KEYS: `t:${randomBytes(32).toString('base64')}` }
  service = await startClinicd([], environment, program)
  opened.defer(async () => void (await service.end('SIGTERM')))
})
after(() => rmSync(folder, { recursive: true }))

test('it holds no TypeScript, no tests and nothing that builds', () => {
  const files = globSync('**/*', { cwd: staged.folder })
  assert.ok(files.length > 300)
  assert.deepEqual(
    files.filter((file) => /\.tsx?$|(^|\/)test(\/|$)/.test(file)),
    [],
  )
  const manifest = JSON.parse(readFileSync(join(staged.folder, 'package.json'), 'utf8'))
  for (const name of ['vite', 'react', 'esbuild']) assert.equal(manifest.dependencies[name], undefined)
  assert.deepEqual(
    Object.keys(manifest.dependencies).filter((name) => name.startsWith('@clinic-data/')),
    [],
  )
})

test('it serves the console built, with its scripts', async () => {
  const page = await fetch(`${service.adminAddress}/console/`)
  assert.equal(page.status, 200)
  const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
  const answer = await fetch(`${service.adminAddress}${script}`)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/)
})

test('it serves the packages, with the hashes that it tells', async () => {
  const { data } = (await (await fetch(`${service.address}/packages`, json)).json()) as { data: Packed[] }
  assert.deepEqual(
    data.map(({ name, version }) => [name, version]),
    [
      ['@clinic-data/client', staged.version],
      ['@clinic-data/cli', staged.version],
      ['clinic-data', staged.version],
    ],
  )
  for (const { url, integrity } of data) {
    const bytes = await (await fetch(`${service.address}${new URL(url).pathname}`)).arrayBuffer()
    assert.equal(`sha512-${hash('sha512', new Uint8Array(bytes), 'base64')}`, integrity)
  }
})

test('it serves every page of the reference that the repository’s documents make', async () => {
  for (const path of [
    '/docs',
    '/docs/clients',
    '/docs/changelog',
    '/docs/releases',
    '/docs/install',
    '/docs/keep-a-copy.mjs',
    '/docs/keep-a-copy.py',
    '/v1/openapi.json',
  ]) {
    assert.equal((await fetch(`${service.address}${path}`)).status, 200, path)
  }
})

interface Packed {
  name: string
  version: string
  url: string
  integrity: string
}

const json = { headers: { accept: 'application/json' } }
