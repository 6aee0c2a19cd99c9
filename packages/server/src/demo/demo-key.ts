// The key that `serve --demo` prints: minted once, kept in `DATA_DIR` for its owner only, and used again at each start.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isUsable, mintKey } from '@clinic-data/administration/credentials/keys'
import { allScopes } from '@clinic-data/contract'
import { isWellFormedKey } from '@clinic-data/contract/key'
import type { Database } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { keepFile, keepFolder } from '@clinic-data/disk/kept-file'
import { inFolder } from '@clinic-data/installation/database/storage'

const FILE_NAME = 'demo-key'
/** A key that was printed on a terminal must expire. */
const DAYS = 30
const DAY_MS = 86_400_000

export interface DemoKey {
  key: string
  path: string
}

/** Mints a new key only when there is none, or when it is revoked or has expired. */
export async function demoKey(owner: Database, dataDir: string, now: Date): Promise<DemoKey> {
  const path = join(dataDir, FILE_NAME)
  return inFolder(dataDir, async () => {
    await keepFolder(dataDir)
    const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    const { clinic_id } = DEMO_CLINIC
    const known = kept.trim()
    if (isWellFormedKey(known) && (await isUsable(owner, { clinic_id, key: known, now }))) return { key: known, path }
    const expires_at = new Date(now.getTime() + DAYS * DAY_MS)
    const { key } = await mintKey(owner, {
      clinic_id,
      scopes: allScopes,
      name: 'demo',
      expires_at,
      rate_limit: null,
      now,
    })
    await keepFile(path, `${key}\n`, 'folder')
    return { key, path }
  })
}
