// The house: which package may import which, and the floors of each.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(import.meta.dirname)
/** The packages that are served or published; the tests' kit is not. */
export const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root, exclude: ['packages/testing/**'] })
export const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
export const packageOf = (file: string) => file.split('/')[1] ?? ''

export const MAY_IMPORT: Record<string, readonly string[]> = {
  contract: [],
  client: ['contract'],
  cli: ['contract', 'client', 'disk'],
  gateway: ['contract'],
  database: ['disk'],
  disk: [],
  webhooks: ['contract', 'database'],
  surface: ['contract', 'database'],
  records: ['contract', 'database'],
  audit: ['contract', 'database', 'webhooks'],
  messaging: ['contract', 'database', 'surface'],
  documents: ['contract', 'database', 'surface', 'records'],
  analytics: ['contract', 'database', 'records'],
  changes: ['contract', 'database', 'webhooks', 'surface', 'records', 'messaging', 'documents'],
  connect: ['contract', 'console-contract', 'database', 'webhooks', 'surface', 'audit'],
  administration: ['contract', 'console-contract', 'database', 'webhooks', 'surface', 'records', 'audit', 'connect'],
  backend: [
    ...['contract', 'database', 'webhooks', 'surface', 'records', 'audit', 'messaging', 'documents', 'analytics'],
    'administration',
    'changes',
    'connect',
  ],
  conformance: ['contract'],
  'console-contract': ['contract'],
  'console-words': ['contract', 'console-contract'],
  console: ['contract', 'console-contract', 'console-words'],
  importers: ['contract', 'database', 'records'],
  demo: ['contract', 'database', 'webhooks', 'records', 'administration', 'changes'],
  installation: [
    'contract',
    'gateway',
    'database',
    'disk',
    'webhooks',
    'audit',
    'administration',
    'backend',
    'connect',
  ],
  operator: [
    ...[
      'contract',
      'console-contract',
      'gateway',
      'database',
      'disk',
      'webhooks',
      'audit',
      'administration',
      'backend',
      'conformance',
    ],
    ...['importers', 'demo', 'installation', 'changes', 'connect'],
  ],
  server: [
    ...[
      'contract',
      'console-contract',
      'gateway',
      'database',
      'disk',
      'webhooks',
      'audit',
      'administration',
      'backend',
      'demo',
    ],
    ...['installation', 'operator', 'connect'],
  ],
}

/** The folders of each package, from the top floor to the bottom: a folder imports only folders below it. */
export const FLOORS: Record<string, readonly string[]> = {
  contract: ['port', 'projections', 'operations', 'analytics', 'resources', 'input', 'schema', 'values'],
  database: ['embedded', 'schema', 'connections', 'values'],
  webhooks: ['engine', 'receiver', 'events', 'deliveries', 'subscriptions', 'integrations'],
  client: ['generated'],
  cli: ['commands', 'sign-in', 'output', 'views', 'connection', 'command-line'],
  gateway: [
    ...[
      'http-backend',
      'reference',
      'packages',
      'connect',
      'files',
      'mcp',
      'calls',
      'requests',
      'authentication',
      'connections',
      'limits',
    ],
    ...['answers', 'telemetry'],
  ],
  records: ['storing', 'resources', 'filters'],
  analytics: ['datasets'],
  connect: ['endpoints', 'consent', 'connections', 'tokens', 'apps'],
  administration: ['routes', 'integrations', 'pages', 'people', 'sign-in', 'sessions', 'credentials'],
  backend: ['offboarding', 'intake', 'ingest', 'operations', 'handling', 'sending'],
  changes: ['writing'],
  conformance: ['rules'],
  console: [
    'pages',
    'webhooks',
    'deliveries',
    'connect',
    'connections',
    'consent',
    'activity',
    'explore',
    'clinic',
    'keys',
    'people',
    'account',
    'shell',
    'shown',
    'requests',
  ],
  'console-words': ['he', 'en'],
  importers: ['outpatient', 'csv', 'fhir'],
  demo: ['simulator', 'examples'],
  installation: ['database', 'settings'],
  operator: ['commands', 'doctor', 'backup'],
  server: ['workers', 'demo', 'private', 'telemetry'],
}

export const exclude = (path: string) => /node_modules|generated/.test(path)
