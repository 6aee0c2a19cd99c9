// Idle connections to receivers, kept for a while, few for each origin.
import { type ConnectionBounds, TargetConnection } from './target-connection.ts'
import type { TargetConnector } from './target-connector.ts'
import type { Target } from './target-url.ts'

export interface KeepingBounds extends ConnectionBounds {
  maxIdlePerOrigin: number
  maxIdle: number
}

/** An attempt never waits for another one's connection: a hung receiver delays no other attempt, not even at the same origin. */
export class KeptConnections {
  readonly #connector: TargetConnector
  readonly #bounds: KeepingBounds
  readonly #now: () => number
  readonly #idle = new Map<string, TargetConnection[]>()
  #idleCount = 0

  constructor(connector: TargetConnector, bounds: KeepingBounds, now: () => number) {
    this.#connector = connector
    this.#bounds = bounds
    this.#now = now
  }

  /** Takes the most recently used connection, or a new one, for one attempt. */
  take(target: Target): TargetConnection {
    const idle = this.#idle.get(target.origin) ?? []
    for (let connection = idle.at(-1); connection !== undefined; connection = idle.at(-1)) {
      this.#forget(connection)
      if (connection.isUsable) return connection
      connection.destroy()
    }
    return new TargetConnection(target, this.#connector, this.#bounds, this.#now, (closed) => this.#forget(closed))
  }

  /** Call this after an attempt whose answer was read to its end. */
  give(connection: TargetConnection): void {
    const idle = this.#idle.get(connection.origin) ?? []
    const { maxIdle, maxIdlePerOrigin } = this.#bounds
    if (connection.isUsable && idle.length < maxIdlePerOrigin && this.#idleCount < maxIdle) {
      idle.push(connection)
      this.#idle.set(connection.origin, idle)
      this.#idleCount++
    } else {
      connection.destroy()
    }
  }

  close(): void {
    for (const connection of [...this.#idle.values()].flat()) {
      this.#forget(connection)
      connection.destroy()
    }
  }

  #forget(connection: TargetConnection): void {
    const idle = this.#idle.get(connection.origin) ?? []
    const place = idle.lastIndexOf(connection)
    if (place < 0) return
    idle.splice(place, 1)
    this.#idleCount--
    if (idle.length === 0) this.#idle.delete(connection.origin)
  }
}
