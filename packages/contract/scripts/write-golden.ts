// Writes the golden files. With `--release` it also adds the document's new promises to the list that `/v1` keeps.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { openapi } from '../src/projections/openapi.ts'
import { GOLDEN_BASE_URL, goldenFiles, goldenFolder } from './golden-files.ts'
import { promises } from './promises.ts'

mkdirSync(goldenFolder, { recursive: true })
for (const [name, text] of Object.entries(goldenFiles())) writeFileSync(new URL(name, goldenFolder), text)

if (process.argv.includes('--release')) {
  const file = new URL('released.txt', goldenFolder)
  const earlier = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const all = new Set([...earlier, ...promises(openapi(GOLDEN_BASE_URL))])
  writeFileSync(file, `${[...all].sort().join('\n')}\n`)
}
