// Builds the published client: its code in one file for Node.js 20 and later, and its declarations. It needs no other package.
//
//   node packages/client/scripts/bundle.ts <folder>
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { writeDeclarations } from './declarations.ts'

const packageFolder = dirname(import.meta.dirname)

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder that the bundle is written to')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
await build({
  entryPoints: [join(packageFolder, 'src/client.ts')],
  outfile: join(folder, 'client.js'),
  absWorkingDir: packageFolder,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
})
writeDeclarations(folder)
