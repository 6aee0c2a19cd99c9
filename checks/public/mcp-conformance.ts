// The public conformance suite of MCP against a gateway on a real database: what the newest revision requires, and that of 2025.
// A baseline names, for each, what a server of read-only tools does not offer; the suite fails when an entry there passes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { globalSetup, globalTeardown } from '../../test/database-setup.ts'
import { fixtureTools } from '../../test/mcp/fixture-tools.ts'
import { startKeyProxy } from '../../test/mcp/key-proxy.ts'
import { smallClinic, startService } from '../../test/service.ts'

const here = import.meta.dirname
const REVISIONS = ['2026-07-28', '2025-11-25']

await globalSetup()
const proxy = await startKeyProxy()
const service = await startService({ baseUrl: proxy.url, mcp: { extraTools: fixtureTools } })
try {
  const { key } = await smallClinic(service)
  await service.gateway.app.listen({ host: '127.0.0.1', port: 0 })
  proxy.forward((service.gateway.app.server.address() as AddressInfo).port, key)
  for (const revision of REVISIONS) process.exitCode ||= await conforms(revision)
} finally {
  proxy.close()
  await service.close()
  await globalTeardown()
}

async function conforms(revision: string): Promise<number> {
  const baseline = join(here, `mcp-baseline-${revision}.yaml`)
  const argv = ['server', '--url', `${proxy.url}/mcp`, '--requirements', revision, '--expected-failures', baseline]
  const suite = spawn(join(here, 'node_modules', '.bin', 'conformance'), argv, {
    cwd: here,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [status] = await once(suite, 'exit')
  return status ?? 1
}
