// The attempts under way, by subscription, to break them off.
import type { Claimed } from './claim.ts'
import { START_WINDOW_MS } from './engine-limits.ts'

type Lane = Pick<Claimed, 'clinic_id' | 'subscription_id'>

export class UnderWay {
  readonly #controllers = new Map<string, Set<AbortController>>()
  /** Subscriptions that ended within the window: an earlier claim may still be on its way. */
  readonly #ended = new Set<string>()

  /** @returns whose signal is aborted when the attempt must end. */
  begin(lane: Lane): AbortController {
    const name = nameOf(lane)
    const controllers = this.#controllers.get(name) ?? new Set()
    this.#controllers.set(name, controllers)
    const controller = new AbortController()
    controllers.add(controller)
    if (this.#ended.has(name)) controller.abort()
    return controller
  }

  leave(lane: Lane, controller: AbortController): void {
    const name = nameOf(lane)
    const controllers = this.#controllers.get(name)
    controllers?.delete(controller)
    if (controllers?.size === 0) this.#controllers.delete(name)
  }

  of(lane: Lane): number {
    return this.#controllers.get(nameOf(lane))?.size ?? 0
  }

  /** Breaks off a subscription's attempts, and those that begin within the window. */
  end(lane: Lane): void {
    const name = nameOf(lane)
    this.#ended.add(name)
    setTimeout(() => this.#ended.delete(name), START_WINDOW_MS).unref()
    for (const controller of this.#controllers.get(name) ?? []) controller.abort()
  }

  breakOff(): void {
    for (const controllers of this.#controllers.values()) for (const controller of controllers) controller.abort()
  }
}

function nameOf({ clinic_id, subscription_id }: Lane): string {
  return `${clinic_id} ${subscription_id}`
}
