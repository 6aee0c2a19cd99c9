// Says at most once a day, to a person at a terminal, that the service has a newer `sc`. The service's own list of packages tells it: no
// other computer is asked, and no key is sent.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFile, keepFolder } from '@clinic-data/disk/kept-file'
import manifest from '../../package.json' with { type: 'json' }
import type { CommandRun } from '../command-run.ts'
import { connectionOf } from '../connection/connection.ts'
import { httpFetch } from '../connection/http-fetch.ts'
import { tell } from './tell.ts'

const DAY_MS = 24 * 3_600_000
/** Nobody waits longer for what they did not ask for. */
const PATIENCE_MS = 1_000

/** Whatever fails here is no fault of the command: it stays silent. */
export async function tellUpgrade(run: CommandRun): Promise<void> {
  const { stdout, stderr, environment, format } = run
  if (!stdout.isTerminal || !stderr.isTerminal || format !== 'table' || !environment.tellsUpgrades) return
  const notice = await noticeOf(run).catch(() => null)
  if (notice !== null) await tell(stderr, notice)
}

async function noticeOf({ environment, signal, now = Date.now }: CommandRun): Promise<string | null> {
  const file = join(environment.folder, 'upgrade.json')
  const today = now()
  if (today - (await lastLook(file, today)) < DAY_MS) return null
  const { baseUrl } = await connectionOf(environment)
  await keepFolder(environment.folder)
  // Before the question: a service that does not answer is not asked again at each command.
  await keepFile(file, `${JSON.stringify({ looked_at: new Date(today).toISOString() })}\n`)
  const answer = await httpFetch(`${baseUrl}/packages`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
  })
  const { data } = JSON.parse(await answer.text()) as { data: { name: string; version: string }[] }
  const served = data.find(({ name }) => name === manifest.name)?.version ?? ''
  if (!isNewer(served, manifest.version)) return null
  return `hint: the service has sc ${served}, and this is ${manifest.version}: npm install --global ${baseUrl}/packages/sc.tgz`
}

/** Zero when it is unknown, and for a time to come: a clock that was wrong does not silence it for years. */
async function lastLook(file: string, now: number): Promise<number> {
  const at = Date.parse(lookedAt(await readFile(file, 'utf8').catch(() => '')))
  return at <= now ? at : 0
}

function lookedAt(text: string): string {
  try {
    return String((JSON.parse(text) as { looked_at?: unknown }).looked_at)
  } catch {
    return ''
  }
}

/** @example isNewer('0.10.0', '0.9.3') // true */
export function isNewer(served: string, own: string): boolean {
  const parts = [served, own].map((version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number))
  const [a, b] = parts
  if (!a || !b) return false
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}
