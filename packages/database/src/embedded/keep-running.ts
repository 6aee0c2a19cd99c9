// Restarts a server that ended unexpectedly (killed for its memory, say), at the same address. Its users' connections
// then recover without help.

import { setTimeout as delay } from 'node:timers/promises'
import { isAlive } from './is-alive.ts'
import type { Postmaster } from './postmaster.ts'

export type Keeper = { stop: () => Promise<void> }

type Kept = {
  postmaster: Postmaster
  /** Starts the server again, at this port if it has one. Resolves when it accepts connections. */
  restart: (port: number) => Promise<Postmaster>
  log: (line: string) => void
}

/** An adopted server is not our child, so we get no event when it ends. We poll every server. */
const LOOK_EVERY_MS = 500
const TRY_AGAIN_MS = 1_000

export function keepRunning({ postmaster, restart, log }: Kept): Keeper {
  let { pid } = postmaster
  let stopping = false
  let restarting: Promise<void> | null = null
  const revive = async () => {
    log(`the PostgreSQL server, process ${pid}, has ended unexpectedly; it is started again`)
    while (!stopping) {
      try {
        pid = (await restart(postmaster.port)).pid
        log(`the PostgreSQL server runs again, process ${pid}`)
        return
      } catch (error) {
        log(`the PostgreSQL server could not be started again: ${(error as Error).message}`)
        await delay(TRY_AGAIN_MS)
      }
    }
  }
  const timer = setInterval(() => {
    if (restarting !== null || isAlive(pid)) return
    restarting = revive().finally(() => {
      restarting = null
    })
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      stopping = true
      clearInterval(timer)
      await restarting
    },
  }
}
