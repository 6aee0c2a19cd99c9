// Tells of changed files of the repository, in groups: an editor writes several at once.
import { watch } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const IGNORED = /^(node_modules|\.git|dist|\.staging)(\/|$)|\/(node_modules|dist(\.\d+)?)(\/|$)/
const QUIET_MS = 100

/** Ends with the signal. */
export async function* changes(root: string, signal: AbortSignal): AsyncGenerator<string[]> {
  const changed = new Set<string>()
  let change = Promise.withResolvers<void>()
  const listening = (async () => {
    for await (const { filename } of watch(root, { recursive: true, signal })) {
      if (filename === null || IGNORED.test(filename)) continue
      changed.add(filename)
      change.resolve()
    }
  })()
  listening.catch(() => change.resolve())
  while (!signal.aborted) {
    await change.promise
    if (signal.aborted) return
    await delay(QUIET_MS)
    change = Promise.withResolvers<void>()
    const group = [...changed]
    changed.clear()
    yield group
  }
}
