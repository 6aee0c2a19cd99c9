// The packages that the gateway serves. In the repository they are packed from this very source, when somebody first asks for them: a
// start stays as fast as it was, and they always are of the service's own version. Another process packs them, without this one's
// settings. A released service brings them packed.
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type ServedPackage, type ServedPackages, WHEEL_FILE } from '@clinic-data/gateway/packages/served-package'
import type { Log } from '@clinic-data/gateway/telemetry/log'

const SCRIPT = fileURLToPath(new URL('../../../scripts/stage-packages.ts', import.meta.url))
/** Where `scripts/stage-server.ts` puts them. */
const PACKED = fileURLToPath(new URL('../packed', import.meta.url))
/** The folder of each package's source, and the name of its file. */
const SERVED: readonly (readonly [folder: string, name: string, file: string])[] = [
  ['client', '@clinic-data/client', 'client.tgz'],
  ['cli', '@clinic-data/cli', 'sc.tgz'],
  ['python', 'clinic-data', WHEEL_FILE],
]
/** It takes a second. */
const PACK_WITHIN_MS = 50_000
/** Anyone may ask, so a failure is not repeated at once. */
const RETRY_AFTER_MS = 60_000

const run = promisify(execFile)

/** @example const [client] = await packagesOnDemand({ log })() */
export function packagesOnDemand({ log, now = Date.now }: { log: Log; now?: () => number }): ServedPackages {
  let packed: Promise<readonly ServedPackage[]> | undefined
  let failedAt: number | null = null
  return () => {
    if (failedAt !== null && now() - failedAt >= RETRY_AFTER_MS) {
      packed = undefined
      failedAt = null
    }
    packed ??= (existsSync(PACKED) ? packedBefore() : pack()).catch((error) => {
      failedAt = now()
      log.error({ err: error }, 'the packages cannot be packed')
      throw error
    })
    return packed
  }
}

async function pack(): Promise<ServedPackage[]> {
  const folder = await mkdtemp(join(tmpdir(), 'packages-'))
  try {
    const argv = [SCRIPT, folder, ...SERVED.map(([source]) => source)]
    const { stdout } = await run(process.execPath, argv, { env: {}, timeout: PACK_WITHIN_MS })
    const rows = stdout.split('\n').map((line) => line.split('\t'))
    return await Promise.all(
      SERVED.map(async ([, name, file]) => {
        const [, version = '', tarball = ''] = rows.find(([one]) => one === name) ?? []
        return servedPackage({ name, version, file }, await readFile(tarball))
      }),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Released together, so they have the version of the service. */
async function packedBefore(): Promise<ServedPackage[]> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  return Promise.all(
    SERVED.map(async ([, name, file]) => servedPackage({ name, version, file }, await readFile(join(PACKED, file)))),
  )
}

function servedPackage(about: Pick<ServedPackage, 'name' | 'version' | 'file'>, bytes: Buffer): ServedPackage {
  return { ...about, bytes, integrity: `sha512-${hash('sha512', bytes, 'base64')}` }
}
