// Who runs the embedded server: PostgreSQL refuses to run as root, so root hands it to an account without rights.

import { readFile, stat } from 'node:fs/promises'

export type Account = { uid: number; gid: number }

const CANDIDATES = ['postgres', 'nobody']

/** Undefined is this process's own account; otherwise whoever owns the cluster already, or a system account. */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(cluster).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = new Map(
    (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => [line.split(':')[0], line]),
  )
  for (const name of CANDIDATES) {
    const [, , uid, gid] = accounts.get(name)?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`PostgreSQL does not run as root, and there is no account ${CANDIDATES.join(' or ')} to run it`)
}

/** How to spawn a program as that account. The environment is ours: a stray PGDATA or LC_ALL must not change anything. */
export function spawnAs(account: Account | undefined) {
  const env = { LC_ALL: 'C', TZ: 'UTC' }
  // Windows programs do not start without their environment.
  return { cwd: '/', ...(process.platform === 'win32' ? {} : { env }), ...account }
}
