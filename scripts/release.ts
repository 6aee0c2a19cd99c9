// `npm run release`: makes everything that is published of a version, in one folder. It refuses what could not be repeated: a release is
// a commit. A person then tags the commit and publishes the files (CONTRIBUTING.md).
//
//   npm run release -- [--out dist/release] [--no-image] [--node <image>] [--base <image>]
import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { billOfMaterials } from './release/bill-of-materials.ts'
import { builderHere, writeImage } from './release/image.ts'
import { type Readiness, readinessOf } from './release/readiness.ts'
import { stagePackages, stageWheel } from './stage-packages.ts'
import { stageServer } from './stage-server.ts'

const root = dirname(import.meta.dirname)
/** Written last: a folder with it is a whole release. */
const SUMS = 'SHA256SUMS'
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
  const folder = resolve(values.out)
  const ready = readinessOf(root)
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, SUMS))) {
    throw new Error(`The release was not made: ${folder} holds something else than a release.`)
  }
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  try {
    await writeRelease(unfinished, ready, values)
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  say(`Version ${ready.version} of commit ${ready.commit.slice(0, 12)} is in ${folder}:`)
  for (const name of readdirSync(folder).sort()) say(`  ${name}`)
}

interface ImageWanted {
  'no-image'?: boolean
  node?: string
  base?: string
}

async function writeRelease(folder: string, ready: Readiness, { 'no-image': isLeftOut, node, base }: ImageWanted) {
  const staging = join(root, '.staging')
  const packed = [...stagePackages(staging), stageServer(join(staging, 'server'))]
  const files = [...packed.map(({ tarball }) => tarball), stageWheel(staging).file]
  for (const file of files) cpSync(file, join(folder, basename(file)))
  writeFileSync(join(folder, `clinic-data-api-${ready.version}.cdx.json`), billOfMaterials(root, staging, ready))
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), `# ${ready.version}\n\n${ready.notes}\n`)

  const builder = isLeftOut ? null : builderHere()
  const bases = { NODE: node, BASE: base }
  if (builder !== null) await writeImage(root, builder, { context: join(staging, 'server'), folder, bases }, ready)
  else say(`No image: ${isLeftOut ? '--no-image' : 'this machine has neither buildah nor podman'}.`)
  writeFileSync(join(folder, SUMS), sumsOf(folder))
}

/** A line for each file, as `sha256sum --check` reads them. */
function sumsOf(folder: string): string {
  const lines = readdirSync(folder)
    .sort()
    .map((name) => `${hash('sha256', readFileSync(join(folder, name)))}  ${name}\n`)
  return lines.join('')
}
