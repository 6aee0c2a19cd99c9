// The bill of materials of a release (CycloneDX): every package of others that is in it, with version, hash and licence. npm writes it
// from the locked packages: those that `clinicd` installs, and those that are bundled into `sc`, the SDK and the console.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../stage-packages.ts'
import { lockOf } from './lock.ts'
import type { Readiness } from './readiness.ts'

const NAME = 'clinic-data-api'
const OWN = '@clinic-data/'
/** Dependencies that only build: their code is in nothing that is released. */
const ONLY_BUILD = ['esbuild', 'vite']

interface Bill {
  serialNumber: string
  metadata: { timestamp: string }
}

/** @returns the document as text, the same for the same commit and the same npm. @param folder - for npm to work in */
export function billOfMaterials(root: string, folder: string, { version, committedAt }: Readiness): string {
  const { manifest, from } = released(root, version)
  const place = join(folder, NAME)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(place, 'package-lock.json'), JSON.stringify(lockOf(root, manifest, from)))
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--omit=dev']
  // It reads the lock file alone, and fails if that lacks something.
  const text = execFileSync('npm', ['sbom', ...options, '--loglevel=error'], { cwd: place, encoding: 'utf8' })
  rmSync(place, { recursive: true })
  const bill = JSON.parse(text) as Bill
  bill.metadata.timestamp = new Date(committedAt * 1000).toISOString()
  bill.serialNumber = ''
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** One manifest in place of all packages'. */
function released(root: string, version: string) {
  const manifests = globSync('packages/*/package.json', { cwd: root })
    .sort()
    .map((file) => ({
      folder: file.split('/')[1] ?? '',
      manifest: JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest,
    }))
  const all = manifests.flatMap(({ manifest }) => Object.entries(manifest.dependencies ?? {}))
  const optional = manifests.flatMap(({ manifest }) => Object.entries(manifest.optionalDependencies ?? {}))
  const manifest = {
    name: NAME,
    version,
    description: 'The Clinic Data API: clinicd, its console, the SDK, sc and the conformance kit.',
    license: 'Apache-2.0',
    dependencies: Object.fromEntries(all.filter(([name]) => !name.startsWith(OWN) && !ONLY_BUILD.includes(name))),
    optionalDependencies: Object.fromEntries(optional),
  }
  return { manifest, from: manifests.map(({ folder }) => folder) }
}

/** A UUID of a text: version 8, whose bits are free (RFC 9562). */
function uuidOf(text: string): string {
  const digits = hash('sha256', text)
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16)
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
  ]
  return [...parts, digits.slice(20, 32)].join('-')
}
