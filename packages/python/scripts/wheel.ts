// Packs the client as a wheel, which pip installs as it is: a ZIP with the sources, what they need, and the hash of each file. The same
// sources are the same bytes on every machine, so nothing is compressed: what a compressor writes changes with its version.
//
//   node packages/python/scripts/wheel.ts <folder>   // prints the name, the version and the file
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

const packageFolder = dirname(import.meta.dirname)
const root = dirname(dirname(packageFolder))
const { version, description, license } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
  version: string
  description: string
  license: string
}

const NAME = 'clinic-data'
/** The least that we have tried, and nothing of a later generation. */
const REQUIRES = 'httpx>=0.23,<1'
const REQUIRES_PYTHON = '>=3.10'
const INFO = `clinic_data-${version}.dist-info`
/** The first moment that a ZIP can name. Its parts are local ones, whatever the zone is. */
const MODIFIED = new Date(1980, 0, 1)
const MODE = 0o100644

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder that the wheel is written to')
mkdirSync(folder, { recursive: true })
const file = join(folder, `clinic_data-${version}-py3-none-any.whl`)
writeFileSync(file, await zipped(withRecord({ ...sources(), ...information() })))
process.stdout.write(`${NAME}\t${version}\t${file}\n`)

type Files = Readonly<Record<string, Buffer>>

function sources(): Files {
  const names = globSync('clinic_data/**/{*.py,py.typed}', { cwd: join(packageFolder, 'src') })
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(packageFolder, 'src', name))]))
}

function information(): Files {
  const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8')
  const metadata = `Metadata-Version: 2.1
Name: ${NAME}
Version: ${version}
Summary: ${description}
License: ${license}
Requires-Python: ${REQUIRES_PYTHON}
Requires-Dist: ${REQUIRES}
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

${readme}`
  const wheel = 'Wheel-Version: 1.0\nGenerator: clinic-data\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
  return {
    [`${INFO}/LICENSE`]: readFileSync(join(root, 'LICENSE')),
    [`${INFO}/CHANGELOG.md`]: readFileSync(join(root, 'CHANGELOG.md')),
    [`${INFO}/METADATA`]: Buffer.from(metadata),
    [`${INFO}/WHEEL`]: Buffer.from(wheel),
  }
}

/** Adds the list of all files with their hashes, by which pip checks and removes them. It has no hash of its own. */
function withRecord(files: Files): Files {
  const rows = Object.entries(files).map(
    ([name, content]) => `${name},sha256=${hash('sha256', content, 'base64url')},${content.length}\n`,
  )
  return { ...files, [`${INFO}/RECORD`]: Buffer.from(`${rows.sort().join('')}${INFO}/RECORD,,\n`) }
}

function zipped(files: Files): Promise<Buffer> {
  const zip = new ZipFile()
  // The information comes last, as the form of wheels wants it.
  const names = Object.keys(files).sort(
    (a, b) => Number(a.startsWith(INFO)) - Number(b.startsWith(INFO)) || (a < b ? -1 : 1),
  )
  for (const name of names) {
    const options = { mtime: MODIFIED, mode: MODE, compress: false, forceDosTimestamp: true }
    zip.addBuffer(files[name] ?? Buffer.alloc(0), name, options)
  }
  zip.end()
  return buffer(zip.outputStream)
}
