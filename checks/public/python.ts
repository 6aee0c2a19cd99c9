// The SDK for Python as others check it: mypy and pyright, strict, read its wheel and a program that uses it, for the oldest Python that it
// runs on, and its tests run with the newest httpx.
//
//   node checks/public/python.ts
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { stageWheel } from '../../scripts/stage-packages.ts'

const OLDEST = '3.10'
const root = dirname(dirname(import.meta.dirname))
const tests = join(root, 'packages/python/tests')
const folder = mkdtempSync(join(tmpdir(), 'clinic-data-python-'))
const bin = join(folder, 'venv/bin')
const python = join(bin, 'python')

try {
  if (spawnSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'ignore' }).status !== 0)
    process.stdout.write('the SDK for Python: skipped, because python3 with venv is missing\n')
  else check()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function check(): void {
  mkdirSync(join(folder, 'wheel'))
  const { file } = stageWheel(join(folder, 'wheel'))
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', file, 'mypy', 'pyright'])
  // What is installed, and not the source: `py.typed` must be there.
  cpSync(tests, join(folder, 'tests'), { recursive: true })
  const settings = { include: ['tests/typed_program.py'], pythonVersion: OLDEST, typeCheckingMode: 'strict' }
  const strict = { ...settings, reportUnnecessaryTypeIgnoreComment: true, venvPath: '.', venv: 'venv' }
  writeFileSync(join(folder, 'pyrightconfig.json'), JSON.stringify(strict))
  run(python, ['-m', 'mypy', '--strict', '--python-version', OLDEST, '-p', 'clinic_data', '-p', 'tests'])
  run(join(bin, 'pyright'), [])
  run(join(bin, 'pyright'), ['--verifytypes', 'clinic_data', '--ignoreexternal'])
  const own = spawnSync(process.execPath, ['scripts/check.ts', 'packages/python/test/python.test.ts'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TEST_PYTHON: python },
  })
  if (own.status !== 0) fail('the tests of the SDK for Python')
}

function run(command: string, argv: readonly string[]): void {
  const env = { ...process.env, HOME: folder, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const { status } = spawnSync(command, argv, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'], env })
  if (status !== 0) fail([command, ...argv].join(' '))
}

function fail(what: string): void {
  process.stderr.write(`${what} failed\n`)
  process.exitCode = 1
}
