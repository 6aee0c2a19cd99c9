// The samples that the test of samples does not run, each with its reason. An entry that meets no sample fails that test.

export interface Skipped {
  /** The file, or the page. */
  readonly place: string
  /** How the command begins. */
  readonly begins: string
  readonly reason: string
}

const elsewhere = (by: string) => `run by ${by}`

export const skipped: readonly Skipped[] = [
  {
    place: 'examples/README.md',
    begins: 'npx sc listen',
    reason: elsewhere('test/sc-listen.test.ts: it does not end by itself'),
  },
  { place: 'README.md', begins: 'npm start', reason: elsewhere('test/newcomer/journey.ts') },
  { place: 'README.md', begins: 'npm test', reason: 'it is the tests themselves' },
  { place: 'README.md', begins: 'claude mcp add', reason: 'it needs Claude Code' },
  { place: 'README.md', begins: 'claude mcp login', reason: 'it needs Claude Code' },
  { place: '/docs/install', begins: 'sc login', reason: elsewhere('test/sc-login.test.ts, which types the answers') },
  { place: '/docs/install', begins: 'python3 -m pip', reason: 'this test has made its own surroundings with it' },
  { place: '/docs/mcp', begins: 'claude mcp add', reason: 'it needs Claude Code' },
  { place: '/docs/connect-an-agent', begins: 'claude mcp add', reason: 'it needs Claude Code' },
  { place: '/docs/connect-an-agent', begins: 'claude mcp login', reason: 'it needs Claude Code' },
  ...['package hooks', 'import static java'].map((begins) => ({
    place: '/docs/webhooks',
    begins,
    reason: elsewhere('packages/gateway/test/reference-guides.test.ts: it is a function alone'),
  })),
  ...['docs/clients.md', '/docs/clients'].flatMap((place) => [
    ...['Gson withNulls', 'import java.math'].map((begins) => ({
      place,
      begins,
      reason: elsewhere('checks/public/clients/openapi-generator-java: it needs the generated client'),
    })),
    {
      place,
      begins: 'package main',
      reason: elsewhere('checks/public/clients/oapi-codegen: it needs the generated client'),
    },
  ]),
  {
    place: '/docs/build-an-app',
    begins: 'import { createHash',
    reason: elsewhere('test/app-samples.test.ts, with an authorization server'),
  },
  {
    place: 'packages/client/README.md',
    begins: 'npm install',
    reason: elsewhere('test/newcomer/installed-from-the-service.ts'),
  },
  {
    place: 'packages/client/README.md',
    begins: 'const event = verifyWebhook',
    reason: 'a line of a receiver: run by examples/receive-webhooks',
  },
  {
    place: 'packages/python/README.md',
    begins: 'python3 -m pip install',
    reason: elsewhere('test/newcomer/installed-from-the-service.ts'),
  },
  {
    place: 'packages/cli/README.md',
    begins: 'npm install',
    reason: elsewhere('test/newcomer/installed-from-the-service.ts'),
  },
  {
    place: 'packages/cli/README.md',
    begins: 'sc login',
    reason: elsewhere('test/sc-login.test.ts, which types the answers'),
  },
  {
    place: 'packages/cli/README.md',
    begins: 'sc listen',
    reason: elsewhere('test/sc-listen.test.ts: it does not end by itself'),
  },
  { place: 'packages/conformance/README.md', begins: 'npm install', reason: elsewhere('test/newcomer/packages.ts') },
  { place: 'packages/conformance/README.md', begins: 'BACKEND_TOKEN=', reason: elsewhere('test/newcomer/packages.ts') },
  {
    place: 'packages/conformance/README.md',
    begins: 'import { runConformance }',
    reason: 'it needs a backend: run by packages/conformance',
  },
  { place: 'docs/backend-port.md', begins: 'npm install', reason: elsewhere('test/newcomer/packages.ts') },
  {
    place: 'docs/backend-port.md',
    begins: 'BACKEND_URL=',
    reason: 'it serves until it is stopped: run by packages/server/test/draining.test.ts',
  },
  { place: 'docs/backend-port.md', begins: 'BACKEND_TOKEN=', reason: elsewhere('test/newcomer/packages.ts') },
  {
    place: 'docs/backend-port.md',
    begins: 'import { createHash',
    reason: elsewhere('packages/conformance/test/conformance.test.ts'),
  },
  {
    place: 'docs/reliability.md',
    begins: 'npm run faults',
    reason: 'it breaks a service for minutes: run by test/faults/everyday.test.ts',
  },
  { place: 'docs/traces.md', begins: 'OTEL_EXPORTER', reason: elsewhere('packages/server/test/tracing.test.ts') },
  {
    place: 'docs/operate.md',
    begins: 'npm install --global',
    reason: elsewhere('test/staged-server.long.test.ts'),
  },
  { place: 'docs/operate.md', begins: 'clinicd serve', reason: 'it serves until it is stopped' },
  {
    place: 'docs/operate.md',
    begins: 'clinicd ',
    reason: elsewhere('packages/server/test: backup, secrets, audit-show, clinicd'),
  },
  { place: 'docs/operate.md', begins: 'export SC_API_KEY=', reason: elsewhere('packages/server/test/clinicd.test.ts') },
  { place: 'docs/operate.md', begins: 'curl -s', reason: 'it needs the key of the line before' },
  { place: 'docs/operate.md', begins: 'export DATA_DIR', reason: elsewhere('packages/operator/test/backup.test.ts') },
  { place: 'docs/operate.md', begins: 'set -a', reason: 'it needs an installed service' },
  { place: 'docs/operate.md', begins: 'mkdir -', reason: elsewhere('packages/operator/test/backup.test.ts') },
  { place: 'docs/operate.md', begins: 'install -m', reason: elsewhere('packages/operator/test/backup.test.ts') },
  { place: 'docs/operate.md', begins: 'set -o', reason: 'it needs age, and somebody who holds a key of it' },
  { place: 'docs/operate.md', begins: 'age ', reason: 'it needs age, and somebody who holds a key of it' },
  {
    place: 'docs/failover.md',
    begins: '',
    reason: 'it sets up machines with systemd, as root; test/failover has its files',
  },
  { place: 'docs/pair.md', begins: '', reason: 'it sets up three machines with systemd, as root' },
  { place: 'docs/sc.md', begins: 'npm install', reason: elsewhere('test/newcomer/installed-from-the-service.ts') },
  { place: 'docs/sc.md', begins: 'sc login', reason: elsewhere('test/sc-login.test.ts, which types the answers') },
  { place: 'docs/sc.md', begins: 'sc listen', reason: elsewhere('test/sc-listen.test.ts: it does not end by itself') },
  { place: 'sc login --help', begins: 'sc login', reason: elsewhere('test/sc-login.test.ts, which types the answers') },
  {
    place: 'sc listen --help',
    begins: 'sc listen --forward-to',
    reason: elsewhere('test/sc-listen.test.ts: it does not end by itself'),
  },
  {
    place: 'sc listen --help',
    begins: 'sc listen --events',
    reason: elsewhere('test/sc-listen.test.ts: it does not end by itself'),
  },
  { place: 'sc logout --help', begins: 'sc logout', reason: elsewhere('test/sc-login.test.ts: it takes the key away') },
]

/** Programs that are not on every machine: a sample that needs one is counted as skipped where it is missing. */
export const OPTIONAL_PROGRAMS = ['zsh', 'fish'] as const
