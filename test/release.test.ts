// Tests what `npm run release` refuses to release: it tells all faults at once. `release.long.test.ts` makes a whole release.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readinessOf } from '../scripts/release/readiness.ts'

const folder = mkdtempSync(join(tmpdir(), 'readiness-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@clinic.example']
const git = (...argv: string[]) => execFileSync('git', [...AUTHOR, ...argv], { cwd: folder, encoding: 'utf8' })
const commit = () => {
  git('add', '--all')
  git('commit', '--quiet', '--message=All')
}
const put = (file: string, content: string | object) => {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}
/** Two packages, of which one needs the other. */
const versions = (contract: string, cli: string, needed: string, locked = cli) => {
  put('packages/contract/package.json', { name: '@clinic-data/contract', version: contract })
  put('packages/cli/package.json', {
    name: '@clinic-data/cli',
    version: cli,
    dependencies: { '@clinic-data/contract': needed, commander: '1.0.0' },
  })
  put('package-lock.json', {
    packages: { 'packages/contract': { version: contract }, 'packages/cli': { version: locked } },
  })
}
const faultsNow = () => {
  try {
    return readinessOf(folder)
  } catch (error) {
    return (error as Error).message
  }
}

git('init', '--quiet', '--initial-branch=main')
put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- Something.\n\n## 0.0.9\n\n- Old.\n')
versions('1.0.0', '7.7.7', '1.0.0')
commit()

test('it tells all faults at once: files not committed, versions that differ, no section, unreleased lines', () => {
  put('README.md', 'new')
  const faults = String(faultsNow())
  rmSync(join(folder, 'README.md'))
  assert.match(faults, /^The release was not made:\n/)
  assert.match(faults, /- Files are not committed: README\.md\.\n/)
  assert.match(faults, /- The packages' versions differ: .*@clinic-data\/cli 7\.7\.7/)
  assert.match(faults, /- CHANGELOG\.md has no section "## [\d.]+", or it is empty\.\n/)
  assert.match(faults, /- CHANGELOG\.md has lines under "## Unreleased"/)
})

test('it refuses a package or a lock that names another version, and a tag that is another commit', () => {
  git('tag', 'v1.0.0')
  put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.0.0\n\n- One thing is new.\n')
  versions('1.0.0', '1.0.0', '0.0.8', '0.0.7')
  commit()
  const faults = String(faultsNow())
  assert.match(faults, /says otherwise in: packages\/cli\/package\.json \(@clinic-data\/contract\) 0\.0\.8, /)
  assert.match(faults, /package-lock\.json \(@clinic-data\/cli\) 0\.0\.7\.\n/)
  assert.match(faults, /- The tag v1\.0\.0 is another commit, [0-9a-f]{12}\.$/)
  assert.doesNotMatch(faults, /not committed|no section/)
})

test('what is ready has its version, its notes, its commit and the time of that', () => {
  versions('1.0.1', '1.0.1', '1.0.1')
  put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.0.1 (soon)\n\n- One thing is new.\n\n## 1.0.0\n\n- Old.\n')
  commit()
  const [hash, seconds] = git('log', '-1', '--format=%H %ct').trim().split(' ')
  assert.deepEqual(faultsNow(), {
    version: '1.0.1',
    notes: '- One thing is new.',
    commit: hash,
    committedAt: Number(seconds),
  })
})

test('every line that installs a package or runs an image names the present version', () => {
  const root = join(import.meta.dirname, '..')
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const { version } = JSON.parse(read('packages/server/package.json')) as { version: string }
  const files = ['docs/operate.md', 'docs/backend-port.md', 'packages/conformance/README.md']
  for (const file of [...files, 'deploy/kubernetes/image/kustomization.yaml']) {
    const named = [...read(file).matchAll(/(?:-|newTag: )(\d+\.\d+\.\d+)(?=\.tgz|\r?\n)/g)].map(([, one]) => one)
    assert.ok(named.length > 0, file)
    assert.deepEqual([...new Set(named)], [version], file)
  }
})
