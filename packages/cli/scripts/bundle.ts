// Builds the published `sc`: its source and everything it needs in one file for Node.js 20 and later, the licences of the bundled
// packages, and a small starter.
//
// It is one CommonJS file, not a module for each command. Node.js takes longer to find and link a handful of modules than to read
// this whole file, and code that a command does not need is not evaluated. bench/cli.ts measures this.
//
//   node packages/cli/scripts/bundle.ts <folder>
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'
import { projectedCommands, projectedOutline } from '../src/command-line/projected-commands.ts'

const packageFolder = dirname(import.meta.dirname)
/** The file that the manifest's `bin` must name. */
export const BUNDLED_BIN = 'sc.cjs'

const MAIN = 'main.cjs'

/** The compile cache lies beside the program. An account that can write there can change the program anyway. */
const STARTER = `#!/usr/bin/env node
require('node:module').enableCompileCache?.(require('node:path').join(__dirname, '.cache'))
require('./${MAIN}')
`

/** Replaces `src/command-line/projected-commands.ts` in the bundle. A test compares the output of both. */
const COMMANDS = 'commands.json'
const PROJECTED = `
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
export const projectedOutline = ${JSON.stringify(projectedOutline)}
export const projectedCommands = () => JSON.parse(readFileSync(join(__dirname, '${COMMANDS}'), 'utf8'))
`

/** Writes the bundle into a folder. Empties the folder first. */
export async function bundle(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { metafile } = await build({
    entryPoints: [join(packageFolder, 'src/sc.ts')],
    outfile: join(folder, MAIN),
    absWorkingDir: packageFolder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    supported: { 'dynamic-import': false },
    target: 'node20',
    minify: true,
    plugins: [quickStart],
    metafile: true,
    logLevel: 'warning',
  })
  await writeFile(join(folder, BUNDLED_BIN), STARTER, { mode: 0o755 })
  await writeFile(join(folder, COMMANDS), JSON.stringify(projectedCommands()))
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), licences(metafile))
}

/**
 * Shortens the start: loads the commands only when they are needed, and leaves out the part of commander that starts other
 * programs.
 */
const quickStart: Plugin = {
  name: 'quick-start',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /[\\/]projected-commands\.ts$/ }, () => ({ contents: PROJECTED, loader: 'ts' }))
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('commander') ? { path, namespace: 'unused' } : { path, external: true },
    )
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** The licences of the bundled packages, without our own. */
function licences({ inputs }: Metafile): string {
  const folders = Object.keys(inputs).flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  const texts = [...new Set(folders)].sort().map((folder) => {
    const absolute = join(packageFolder, folder)
    const { name, version } = JSON.parse(readFileSync(join(absolute, 'package.json'), 'utf8'))
    const file = ['LICENSE', 'license', 'LICENSE.md', 'LICENCE'].map((one) => join(absolute, one)).find(existsSync)
    if (file === undefined) throw new Error(`${name} has no licence to pass on`)
    return `${name} ${version}\n\n${readFileSync(file, 'utf8').trim()}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('name the folder that the bundle is written to')
  await bundle(folder)
}
