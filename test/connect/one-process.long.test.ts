// Apps and a service of one process: a strict OAuth client of others, the official MCP client and `sc` are connected, and an end is exact.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { type AppDocuments, serveAppDocuments } from './app-documents.ts'
import { ConnectSite } from './connect-site.ts'
import { testEnds } from './ended.ts'
import { testMcpClient } from './mcp-client.ts'
import { testOauthClient } from './oauth4webapi.ts'
import { testSc } from './sc-login.ts'

/** So many renew one token. */
const SC_AT_ONCE = 10
const ENDS = 10

let site: ConnectSite
let documents: AppDocuments
const folder = await mkdtemp(join(tmpdir(), 'app-documents-'))
before(async () => {
  const trusted = join(folder, 'certificate.pem')
  documents = await serveAppDocuments(trusted)
  site = await ConnectSite.start({ NODE_EXTRA_CA_CERTS: trusted })
})
after(async () => {
  await documents[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const started = () => site
describe('oauth4webapi', () => testOauthClient(started))
describe('the MCP client', () => testMcpClient(started, () => documents))
describe('sc', () => testSc(started, SC_AT_ONCE))
testEnds(started, ENDS)
