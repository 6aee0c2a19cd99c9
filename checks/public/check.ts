// `npm run check:public`: checks the OpenAPI documents with public tools. Spectral, OWASP's rules and Redocly lint the public one,
// and clients are generated from it, compiled and run. Redocly lints the ingest API's. Then the protocol's conformance suite, inspector and
// first client test the MCP server, clients of several languages are connected by OAuth, the SDK for TypeScript runs in Node.js, Bun and
// Deno, type checkers read the SDK for Python, and Schemathesis tests the endpoints of apps and the REST API with requests made from their documents.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ingestOperations } from '@clinic-data/backend/ingest/operations'
import { ingestDocument } from '@clinic-data/backend/intake/ingest-document'

const here = import.meta.dirname
const document = join(here, '../../packages/contract/golden/openapi.json')
/** A copy of the lock file from which `node_modules` was installed. */
const installed = join(here, 'node_modules', '.installed-lock.json')
const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', SCARF_ANALYTICS: 'false' }

install()
run('spectral', ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'hint', document])
run('redocly', ['lint', '--config', 'redocly.yaml', document])
run('redocly', ['lint', '--config', 'redocly.yaml', writtenIngestDocument()])
spawn(process.execPath, ['mcp.ts'], environment)
spawn(process.execPath, ['clients/clients.ts'], environment)
spawn(process.execPath, ['connect/connect.ts'], environment)
spawn(process.execPath, ['runtimes/runtimes.ts'], environment)
spawn(process.execPath, ['python.ts'], environment)
spawn(process.execPath, ['schemathesis.ts'], environment)

/** Not part of any release: written only for the linter. */
function writtenIngestDocument(): string {
  const file = join(here, 'generated', 'ingest.json')
  mkdirSync(join(here, 'generated'), { recursive: true })
  writeFileSync(file, JSON.stringify(ingestDocument(ingestOperations, 'https://api.example.com')))
  return file
}

/** Installs the lock file's packages, unless they are already installed. */
function install(): void {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return
  // Without the variables of the npm that started this: they would point it at the workspaces above.
  const clean = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('npm_')))
  spawn('npm', ['ci', '--loglevel=error'], clean)
  writeFileSync(installed, lock)
}

function run(tool: string, argv: readonly string[]): void {
  spawn(join(here, 'node_modules', '.bin', tool), argv, environment)
}

function spawn(command: string, argv: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status } = spawnSync(command, argv, { cwd: here, stdio: ['ignore', 'inherit', 'inherit'], env })
  if (status !== 0) {
    process.stderr.write(`${command} failed\n`)
    process.exit(1)
  }
}
