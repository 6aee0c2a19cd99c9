// Makes what our service and a peer are measured on: a clinic in embedded PostgreSQL, our service on it as it is shipped, and a login of
// its own for the peer on the same server.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clinic, Scope } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { benchKey } from '../bench-clinic.ts'
import { openBenchDatabase } from '../bench-database.ts'
import { cpuOfFamily } from '../cpu-time.ts'
import { type Started, startServer } from './server-process.ts'

const PORT = 18_700
const root = dirname(dirname(import.meta.dirname))

export interface PeerGround {
  owner: Database
  ours: Started
  /** A key of our service. */
  key: string
  /** The CPU time that PostgreSQL has used until now, for both, in µs. */
  databaseCpuUs(): number
  /** Makes a login with the attributes (`bypassrls`) and what the SQL grants to the role `peer`. @returns its url. */
  peerUrl(attributes: string, grants: string): Promise<string>
  /** Ends our service and PostgreSQL, and removes the login with all that it owns. */
  close(): Promise<void>
}

/** @param folder of PostgreSQL, below `.data/`. @param clinicOf makes the clinic where it is missing. */
export async function openPeerGround(
  folder: string,
  clinicOf: (owner: Database) => Promise<Clinic>,
  scopes: readonly Scope[],
): Promise<PeerGround> {
  const dataDir = join(root, '.data', folder)
  const { server, owner, close: closeDatabase } = await openBenchDatabase(dataDir)
  const closing = [closeDatabase]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    const key = await benchKey(owner, await clinicOf(owner), scopes)
    await withoutPeer(owner)
    closing.push(() => withoutPeer(owner))
    const ours = await startServer({
      argv: [join(root, 'packages', 'server', 'bin', 'clinicd.mjs'), 'serve'],
      port: PORT,
      readyAt: '/readyz',
      env: {
        DATABASE_URL: server.ownerUrl,
        SECRET_KEYS: `bench:${randomBytes(32).toString('base64')}`,
        PORT: String(PORT),
        ADMIN_PORT: String(PORT + 1),
      },
    })
    closing.push(() => ours.stop())
    const postmaster = Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0])
    const peerUrl = async (attributes: string, grants: string) => {
      const password = randomBytes(16).toString('hex')
      await owner.maintain((tx) => tx.script(`create role peer login ${attributes} password '${password}'; ${grants}`))
      const url = new URL(server.ownerUrl)
      return `postgres://peer:${password}@${url.host}${url.pathname}`
    }
    return { owner, ours, key, databaseCpuUs: () => cpuOfFamily(postmaster), peerUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function withoutPeer(owner: Database): Promise<void> {
  await owner.maintain((tx) =>
    tx.script(`do $$ begin
      if exists (select from pg_roles where rolname = 'peer') then drop owned by peer cascade; drop role peer; end if;
    end $$`),
  )
}
