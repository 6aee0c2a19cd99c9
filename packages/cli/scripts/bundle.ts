// What is published of `sc`: its source and all that it needs as a few JavaScript files, parted where a command is loaded on demand,
// for every Node.js from 20 on; and the licences of what went into them.
//
//   node packages/cli/scripts/bundle.ts <folder>
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Metafile, type Plugin } from 'esbuild'

const packageFolder = dirname(import.meta.dirname)
/** Where the file that the manifest's `bin` names stands in the folder. */
export const BUNDLED_BIN = 'sc.js'

/** Writes the bundle into a folder, which is emptied first. */
export async function bundle(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { metafile } = await build({
    entryPoints: { sc: join(packageFolder, 'src/sc.ts') },
    outdir: folder,
    absWorkingDir: packageFolder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [quickStart],
    metafile: true,
    logLevel: 'warning',
  })
  const bin = join(folder, BUNDLED_BIN)
  await writeFile(bin, `#!/usr/bin/env node\n${readFileSync(bin, 'utf8')}`)
  await chmod(bin, 0o755)
  await writeFile(join(folder, 'THIRD-PARTY-LICENSES.txt'), licences(metafile))
}

/**
 * What a short process is felt by. An `import` of a built-in module reads each of its exports, and some are getters that load half
 * of Node.js (`process.stdin`, `http.WebSocket`): asked for by `getBuiltinModule` they stay where they are. And V8 reads JSON
 * faster than the same as a program.
 */
const quickStart: Plugin = {
  name: 'quick-start',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'built-in' }))
    onLoad({ filter: /.*/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
    onLoad({ filter: /commands\.json$/ }, ({ path }) => {
      const minified = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
      return { contents: `module.exports = JSON.parse(${JSON.stringify(minified)})` }
    })
  },
}

/** The licence of each package that the bundle holds, ours apart. */
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
