// Says whose a folder is, to somebody who may not use it.
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A sentence about the path, or about the nearest folder above it that this account can look at. Null where that is its own. */
export async function foreignFolder(path: string): Promise<string | null> {
  const uid = process.geteuid?.()
  const found = await seen(path)
  if (uid === undefined || found.uid === uid) return null
  const [owner, own] = [await accountOf(found.uid), await accountOf(uid)]
  return `${found.path} belongs to the account ${owner}, and this is ${own}. Run the command as ${owner}, with the service's settings.`
}

async function seen(path: string): Promise<{ path: string; uid: number }> {
  try {
    return { path, uid: (await stat(path)).uid }
  } catch {
    return seen(dirname(path))
  }
}

/** The name, or the number where there is none. */
async function accountOf(uid: number): Promise<string> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  return lines.find((fields) => fields[2] === String(uid))?.[0] ?? `#${uid}`
}
