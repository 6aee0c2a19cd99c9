// Repeated work: scans for owners that may have some, serves the woken owners while there is room, and drains when it stops.
//
//   const pump = new Pump({ scan, everyMs, onScanFailure, serve, hasRoom })
//   pump.start()
//   pump.wake(clinic_id)
//   pump.stop(); await pump.idle()

export interface PumpOptions {
  /** Looks for work. It runs at the start, and again this long after each of its runs. */
  readonly scan: () => Promise<unknown>
  readonly everyMs: number
  readonly onScanFailure: (error: unknown) => void
  /** Starts an owner's work. It runs once at a time for each owner, and never rejects. */
  readonly serve?: (owner: string) => Promise<void>
  /** Whether anybody can be served now. */
  readonly hasRoom?: () => boolean
  /** Whether this owner can be served now. */
  readonly mayServe?: (owner: string) => boolean
  /** Runs an action later; the returned function prevents it. */
  readonly after?: (delayMs: number, action: () => void) => () => void
}

const DEFAULTS = {
  serve: async () => undefined,
  hasRoom: () => true,
  mayServe: () => true,
  after: (delayMs: number, action: () => void) => {
    const timer = setTimeout(action, delayMs)
    return () => clearTimeout(timer)
  },
}

export class Pump {
  readonly #options: Required<PumpOptions>
  /** In the order in which they are served. */
  readonly #wanted = new Set<string>()
  readonly #serving = new Map<string, Promise<void>>()
  readonly #underWay = new Set<Promise<void>>()
  #preventScan = (): void => undefined
  #isStopped = false

  constructor(options: PumpOptions) {
    this.#options = { ...DEFAULTS, ...options }
  }

  /** Scans repeatedly until `stop`. */
  start(): void {
    this.track(this.#round())
  }

  async scan(): Promise<void> {
    try {
      await this.#options.scan()
    } catch (error) {
      this.#options.onScanFailure(error)
    }
  }

  /** Says that the owner may have work. An owner that is being served is served again afterwards. */
  wake(owner: string): void {
    if (this.#isStopped) return
    this.#wanted.add(owner)
    this.goOn()
  }

  /** Serves the owners that wait, in turn, as long as there is room. Call this when room was made. */
  goOn(): void {
    const { serve, hasRoom, mayServe } = this.#options
    for (const owner of this.#wanted) {
      if (!hasRoom()) return
      if (this.#serving.has(owner) || !mayServe(owner)) continue
      this.#wanted.delete(owner)
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#serving.set(owner, promise)
      const end = () => {
        this.#serving.delete(owner)
        resolve()
        this.goOn()
      }
      this.track(serve(owner).finally(end))
    }
  }

  /** How many owners are being served. */
  get serving(): number {
    return this.#serving.size
  }

  /** Resolves when the owner is not being served. */
  async served(owner: string): Promise<void> {
    await this.#serving.get(owner)
  }

  /** Adds work that `idle` waits for. */
  track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0 && this.#wanted.size === 0
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Starts no scan and serves no owner any more. Running work continues. */
  stop(): void {
    this.#isStopped = true
    this.#preventScan()
    this.#wanted.clear()
  }

  async #round(): Promise<void> {
    const { after, everyMs } = this.#options
    await this.scan()
    if (!this.#isStopped) this.#preventScan = after(everyMs, () => this.track(this.#round()))
  }
}
