// Programs of earlier versions, from the history of the repository, for the tests of upgrades and of ways back.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after } from 'node:test'
import { bundle } from '@clinic-data/testing/shared/clinicd-program'

const root = join(import.meta.dirname, '../..')

/** The first version that others have run: its program stops on today's tables. */
export const FIRST = '83b2ff50'
/** The commit of each version that was released: its program goes on beside today's. The oldest stands first. */
export const RELEASED = { '0.1.0': '6159f718', '0.2.0': '88babb0b' }

/** All that these versions know. */
export const FORMER_SCOPES = 'reads,payments:write,leads:write,chat:write,webhooks:manage'

/** These replace packages that we depend on no more: this one refused requests under a load that no test here makes. */
const STAND_INS: Readonly<Record<string, string>> = { '@fastify/under-pressure': 'export default async () => {}' }

/** Why a test is skipped. */
export const NO_HISTORY = 'the history of the repository is not here (a shallow clone, a package)'

export interface FormerProgram {
  /** A folder of its own, which is removed after the file's tests. */
  readonly folder: string
  /** `clinicd` as it was, with today's dependencies. */
  readonly program: string
  /** The ids of the migrations that it knows. */
  readonly migrations: ReadonlySet<string>
}

function git(...argv: string[]): string | null {
  const { status, stdout } = spawnSync('git', argv, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** The commit before the migration came. Null without the history. */
export function commitBefore(migration: string): string | null {
  return git('log', '-1', '--diff-filter=A', '--format=%P', '--', `packages/*/migrations/${migration}.sql`) || null
}

/** Null without the history. */
export async function formerProgram(commit: string | null): Promise<FormerProgram | null> {
  const files = commit === null ? null : git('ls-tree', '-r', '--name-only', commit)
  if (commit === null || files === null) return null
  const folder = await mkdtemp(join(tmpdir(), 'former-program-'))
  after(() => rm(folder, { recursive: true, force: true }))
  execFileSync('tar', ['-x', '-C', folder], {
    input: execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 }),
  })
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@clinic-data'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '@clinic-data') await symlink(join(root, 'node_modules', name), join(modules, name))
  for (const name of await readdir(join(folder, 'packages')))
    await symlink(join(folder, 'packages', name), join(modules, '@clinic-data', name))
  for (const [name, source] of Object.entries(STAND_INS)) {
    const standIn = join(folder, 'packages/gateway/node_modules', name)
    await mkdir(standIn, { recursive: true })
    await writeFile(join(standIn, 'index.js'), source)
    await writeFile(join(standIn, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
  }
  const migrations = files.split('\n').filter((file) => /^packages\/\w+\/migrations\/.*\.sql$/.test(file))
  return {
    folder,
    program: join(folder, 'packages/server/bin/clinicd.mjs'),
    migrations: new Set(migrations.map((file) => basename(file, '.sql'))),
  }
}

/** With it the program serves a page at `/console`. */
export function buildConsole({ folder }: FormerProgram): void {
  execFileSync(process.execPath, [join(folder, 'packages/console/scripts/build.ts')], {
    stdio: ['ignore', 'ignore', 2],
  })
}

/** @returns the path of the same program as a few files, which starts several times as fast. */
export async function bundledProgram({ folder }: FormerProgram): Promise<string> {
  const bundled = join(folder, 'bundled')
  await bundle(folder, bundled)
  return join(bundled, 'clinicd.mjs')
}
