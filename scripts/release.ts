// `npm run release`: makes everything that is published of a version, in one folder. It refuses what could not be repeated: a release is
// a commit. A person then tags the commit and publishes the files (CONTRIBUTING.md).
//
//   npm run release -- [--out dist/release] [--no-image] [--node <image>] [--base <image>]
import { hash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './release/bill-of-materials.ts'
import { builderHere, writeImage } from './release/image.ts'
import { readinessOf } from './release/readiness.ts'
import { stagePackages } from './stage-packages.ts'
import { stageServer } from './stage-server.ts'

const root = dirname(import.meta.dirname)
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  await release()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function release(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join(root, 'dist/release') },
      'no-image': { type: 'boolean' },
      node: { type: 'string' },
      base: { type: 'string' },
    },
  })
  const ready = readinessOf(root)
  const folder = resolve(values.out)
  const staging = join(root, '.staging')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })

  const packed = [...stagePackages(staging), stageServer(join(staging, 'server'))]
  for (const { tarball } of packed) cpSync(tarball, join(folder, basename(tarball)))
  writeFileSync(join(folder, `clinic-data-api-${ready.version}.cdx.json`), billOfMaterials(root, staging, ready))
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), `# ${ready.version}\n\n${ready.notes}\n`)

  const isLeftOut = values['no-image'] === true
  const builder = isLeftOut ? null : builderHere()
  const bases = { NODE: values.node, BASE: values.base }
  if (builder !== null) await writeImage(root, builder, { context: join(staging, 'server'), folder, bases }, ready)
  else say(`No image: ${isLeftOut ? '--no-image' : 'this machine has neither buildah nor podman'}.`)

  writeFileSync(join(folder, 'SHA256SUMS'), sumsOf(folder))
  say(`Version ${ready.version} of commit ${ready.commit.slice(0, 12)} is in ${folder}:`)
  for (const name of readdirSync(folder).sort()) say(`  ${name}`)
}

/** A line for each file, as `sha256sum --check` reads them. */
function sumsOf(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => `${hash('sha256', readFileSync(join(folder, name)))}  ${name}\n`)
  return lines.join('')
}
