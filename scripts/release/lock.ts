// The lock file of what is released: the versions and hashes of the repository's lock file, as far as a package needs them. It is
// in `clinicd`'s tarball, where `npm ci` follows it: what runs elsewhere is what was tested here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../stage-packages.ts'

type Ranges = Readonly<Record<string, string>>

/** An installed package, or one of ours. Its key in a lock file is its path: `node_modules/a/node_modules/b`. */
interface Entry {
  version?: string
  dependencies?: Ranges
  optionalDependencies?: Ranges
  peerDependencies?: Ranges
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>
  [other: string]: unknown
}

export interface Lock {
  readonly lockfileVersion: 3
  readonly requires: true
  readonly packages: Readonly<Record<string, Entry>>
}

/**
 * Locks a package.
 *
 * @param manifest - names its dependencies, each in one exact version
 * @param from - the folders of `packages/` whose manifests named these dependencies
 * @throws if the repository's lock file lacks one of them
 */
export function lockOf(root: string, manifest: Omit<Manifest, 'exports'>, from: readonly string[]): Lock {
  const { packages: known } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  /** The path of each entry in the repository's lock file, by its path in the new one. */
  const placed = new Map<string, string>()
  const place = (name: string, requirer: string, source: string) => {
    const there = visible((path) => placed.has(path), name, requirer)
    if (there !== undefined && placed.get(there) === source) return
    // Another version is above: this one goes below the package that needs it.
    placed.set(
      there === undefined || requirer === '' ? `node_modules/${name}` : `${requirer}/node_modules/${name}`,
      source,
    )
  }
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = manifest as Entry &
    typeof manifest
  for (const [name, wanted] of Object.entries({ ...dependencies, ...optionalDependencies }).sort()) {
    const found = from.map((folder) => visible((path) => path in known, name, `packages/${folder}`))
    const source = found.find((path = '') => known[path]?.version === wanted)
    if (source === undefined) throw new Error(`package-lock.json lacks ${name} ${wanted}`)
    place(name, '', source)
  }
  // Level by level: what stands below a package is complete before anything below it looks for its own. The map grows meanwhile.
  for (const [path, source] of placed) {
    for (const { name, isNeeded } of needsOf(known[source] ?? {})) {
      const found = visible((path) => path in known, name, source)
      if (found !== undefined) place(name, path, found)
      else if (isNeeded) throw new Error(`package-lock.json lacks ${name}, which ${source} needs`)
    }
  }
  const own = { name, version, license, bin, engines, dependencies, optionalDependencies }
  const sorted = [...placed].sort(([a], [b]) => (a < b ? -1 : 1))
  const entries = sorted.map(([path, source]) => [path, withoutUse(known[source] ?? {})])
  return { lockfileVersion: 3, requires: true, packages: { '': own, ...Object.fromEntries(entries) } }
}

/** Where a package finds another one: among its own, or in the nearest folder above. */
function visible(has: (path: string) => boolean, name: string, requirer: string): string | undefined {
  for (
    let above = requirer && `/${requirer}`;
    ;
    above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))
  ) {
    const path = `${above}/node_modules/${name}`.slice(1)
    if (has(path)) return path
    if (above === '') return undefined
  }
}

function needsOf({ dependencies, optionalDependencies = {}, ...peers }: Entry): { name: string; isNeeded: boolean }[] {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = peers
  const isOptional = (name: string) => name in optionalDependencies || peerDependenciesMeta[name]?.optional === true
  const names = new Set([dependencies ?? {}, optionalDependencies, peerDependencies].flatMap(Object.keys))
  return [...names].sort().map((name) => ({ name, isNeeded: !isOptional(name) }))
}

/** Whether the repository needs it for development only does not matter here. */
function withoutUse({ dev: _, devOptional: __, peer: ___, ...entry }: Entry): Entry {
  return entry
}
