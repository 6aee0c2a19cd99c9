// Chooses the account that runs the embedded server. PostgreSQL refuses to run as root, so root uses a separate account that owns
// one cluster and nothing else on the machine.
//
// The account is a number without a name, so nothing has to be created, not even in a container. Only `initdb` insists on a name.
// It runs as a named account that runs nothing else and gets no password. The cluster is handed over before it is used.

import { randomInt } from 'node:crypto'
import { chown, lchown, lstat, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type Account = { uid: number; gid: number }

/** No system assigns these numbers, and they are within the 65,536 that a container may have (systemd.io/UIDS-GIDS). */
const FIRST_UID = 60_578
const LAST_UID = 61_183

const isOwn = (uid: number) => uid >= FIRST_UID && uid <= LAST_UID

/**
 * Undefined means this process's own account. Otherwise the cluster's owner, or a new account. Whoever has the folder around it too runs
 * a service that is away for the moment: a command of root leaves its files to it.
 */
export async function serverAccount(cluster: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [owner, above] = await Promise.all([cluster, dirname(cluster)].map((path) => stat(path).catch(() => undefined)))
  const isOfService = owner?.uid !== 0 && owner?.uid === above?.uid
  if (owner !== undefined && (isOwn(owner.uid) || isOfService)) return { uid: owner.uid, gid: owner.gid }
  const taken = new Set([...(await runningAccounts()), ...(await namedAccounts()).map(({ uid }) => uid)])
  for (let tries = LAST_UID - FIRST_UID; tries > 0; tries--) {
    const uid = randomInt(FIRST_UID, LAST_UID + 1)
    if (!taken.has(uid)) return { uid, gid: uid }
  }
  throw new Error(`no account from ${FIRST_UID} to ${LAST_UID} is free to run PostgreSQL`)
}

/** For `initdb`: a named account that runs nothing at the moment, so that nobody can reach the files it makes. */
export async function founderAccount(): Promise<Account> {
  const running = await runningAccounts()
  const named = (await namedAccounts()).filter(({ uid, shell }) => uid !== 0 && /\/(nologin|false)$/.test(shell))
  const found = named.find(({ uid }) => !running.has(uid))
  if (found !== undefined) return { uid: found.uid, gid: found.gid }
  throw new Error(
    'PostgreSQL does not run as root, and /etc/passwd has no idle system account to set it up; set DATABASE_URL',
  )
}

/** Hands over a cluster whose server does not run. Its folder comes last, so that an interrupted handover starts again. */
export async function giveCluster(cluster: string, { uid, gid }: Account): Promise<void> {
  // First moves it out of the previous owner's reach.
  await chown(cluster, 0, 0)
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    // A second name for a file elsewhere would give that file away.
    if (entry.isFile() && (await lstat(path)).nlink > 1) throw new Error(`${path} has a second name: remove one`)
    await lchown(path, uid, gid)
  }
  await chown(cluster, uid, gid)
}

type NamedAccount = Account & { shell: string }

async function namedAccounts(): Promise<NamedAccount[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  return lines
    .filter((fields) => fields.length === 7)
    .map(([, , uid, gid, , , shell = '']) => ({ uid: Number(uid), gid: Number(gid), shell }))
}

async function runningAccounts(): Promise<ReadonlySet<number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const accounts = await Promise.all(pids.map((pid) => stat(`/proc/${pid}`).catch(() => undefined)))
  return new Set(accounts.flatMap((account) => account?.uid ?? []))
}

/** Options to spawn a program as that account. The environment is fixed: a stray PGDATA or LC_ALL must not change anything. */
export function spawnAs(account: Account | undefined) {
  const env = { LC_ALL: 'C', TZ: 'UTC' }
  // Windows programs do not start without their environment.
  return { cwd: '/', ...(process.platform === 'win32' ? {} : { env }), ...account }
}
