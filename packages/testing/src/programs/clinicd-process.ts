// `clinicd serve` as a separate process of a test file. Processes that a test leaves running end with it.
import type { ChildProcess } from 'node:child_process'
import { after } from 'node:test'
import { lend } from '../shared/lent.ts'
import { type ClinicdProcess, spawnClinicd } from './spawn-clinicd.ts'

export type { ClinicdProcess }

const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Resolves when the process listens. @throws Error when it ends before that. */
export function startClinicd(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  program?: string,
): Promise<ClinicdProcess> {
  const onChild = (child: ChildProcess) => {
    children.add(child)
    const giveBack = lend('a clinicd')
    child.once('exit', () => {
      children.delete(child)
      giveBack()
    })
  }
  return spawnClinicd(argv, environment, { onChild, program })
}
