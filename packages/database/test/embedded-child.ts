// A process that starts a folder's embedded server, prints its address, and lives until it is killed.

import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
const { appUrl, ownerUrl } = await startEmbeddedPostgres({ dataDir, log: () => undefined })
process.stdout.write(`${JSON.stringify({ appUrl, ownerUrl })}\n`)
setInterval(() => undefined, 60_000)
