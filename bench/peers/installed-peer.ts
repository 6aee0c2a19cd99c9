// Installs a peer from the npm registry, in a folder of its own below `.data/`: no package of a peer is a dependency of this project.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/**
 * @param packages with their exact versions, such as `{ 'pg-boss': '12.35.0' }`.
 * @param overrides other versions of what they depend on, where the declared one does not run on this Node.js.
 * @returns the folder, whose `node_modules` holds them. A folder with the same versions is used as it is.
 */
export async function installedPeer(
  name: string,
  packages: Readonly<Record<string, string>>,
  overrides?: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(root, '.data', 'peers', name)
  const wanted = JSON.stringify({ private: true, dependencies: packages, overrides })
  const isThere =
    existsSync(join(folder, 'package.json')) && readFileSync(join(folder, 'package.json'), 'utf8') === wanted
  if (isThere) return folder
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(dirname(fresh), { recursive: true })
  await mkdir(fresh)
  await writeFile(join(fresh, 'package.json'), wanted)
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', ...options], { cwd: fresh, stdio: ['ignore', 'ignore', 'inherit'] })
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
  return folder
}
