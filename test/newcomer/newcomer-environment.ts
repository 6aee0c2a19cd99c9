// Shared by the newcomer tests: an environment without traces of this checkout, programs that a test waits for, and a service with the
// demo clinic.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePorts } from '@clinic-data/testing/free-port'

const root = dirname(dirname(import.meta.dirname))
const START_WITHIN_MS = 600_000

/**
 * Somebody else's environment: no cache, no settings, no development paths of this checkout, and the machine's own Node.js unless
 * this one is requested.
 */
export function newcomersEnvironment(home: string, withThisNode = false): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))
  if (withThisNode) path.unshift(dirname(process.execPath))
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_(?!EXTRA_CA_CERTS)|INIT_CWD|DATA_DIR|DATABASE_URL|TEST_)/i.test(name),
  )
  return { ...Object.fromEntries(kept), ...registrySettings(), HOME: home, PATH: path.join(delimiter) }
}

/**
 * Installs this version of npm, and returns its program. Its cache is its own: two npms that fill one new cache at once can break each
 * other. The test goes on meanwhile: while it stood still it did not see that its service closed a kept connection, and asked on that.
 */
export async function installNpm(version: string, folder: string): Promise<string> {
  const prefix = join(folder, `npm-${version}`)
  const options = ['--prefix', prefix, '--cache', join(prefix, 'cache'), '--fetch-retries', '5']
  const quiet = ['--no-audit', '--no-fund', '--force', '--loglevel', 'error']
  await promisify(execFile)('npm', ['install', ...options, ...quiet, `npm@${version}`])
  return join(prefix, 'node_modules', 'npm', 'bin', 'npm-cli.js')
}

/** The machine decides where packages come from. */
function registrySettings(): NodeJS.ProcessEnv {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', cwd: root }).trim()
  return { npm_config_registry: registry }
}

/** Resolves with a program's output once a line of it matches. */
export function printed(child: ChildProcess, until: RegExp): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    const late = setTimeout(() => reject(new Error(`not started in time:\n${stdout}\n${stderr}`)), START_WITHIN_MS)
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
      if (!until.test(stdout)) return
      clearTimeout(late)
      resolve({ stdout, stderr })
    })
    child.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${stdout}\n${stderr}`)))
  })
}

export interface DemoService {
  /** The variables that the samples read. */
  readonly access: { readonly SC_API_KEY: string; readonly SC_BASE_URL: string }
  /** Where its backend port is. */
  readonly backendUrl: string
  stop(): Promise<void>
}

/** Runs this checkout's service on free ports, with its data in this folder. */
export async function demoService(dataFolder: string, settings: NodeJS.ProcessEnv = {}): Promise<DemoService> {
  const [port, adminPort] = await freePorts(2)
  const service = spawn(process.execPath, [join(root, 'packages/server/bin/clinicd.mjs'), 'serve', '--demo'], {
    env: { ...process.env, PORT: String(port), ADMIN_PORT: String(adminPort), DATA_DIR: dataFolder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout } = await printed(service, /Stop with Ctrl-C/)
  const [SC_API_KEY] = /sk_live_\w+/.exec(stdout) ?? []
  if (SC_API_KEY === undefined) throw new Error(`no key was printed:\n${stdout}`)
  return {
    access: { SC_API_KEY, SC_BASE_URL: `http://127.0.0.1:${port}` },
    backendUrl: `http://127.0.0.1:${adminPort}`,
    async stop() {
      service.kill('SIGTERM')
      if (service.exitCode === null) await once(service, 'exit')
    },
  }
}
