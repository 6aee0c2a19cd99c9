// Defines a scenario: a service, something that breaks it and lets it work again, and what that proves.
import type { Entry } from './history.ts'
import type { Seeded } from './seeded.ts'

export interface Scenario {
  /** Its file has the same name. */
  readonly name: string
  /** It says what is done in each round. */
  readonly done: string
  readonly proves: string
  readonly doesNotProve: string
  /** In `npm run faults`. */
  readonly rounds: number
  /** In `npm run test:long`. 0: not there. */
  readonly long: number
  /** Nothing that a request needs breaks: no caller may notice it. Default: callers may get 503. */
  readonly isHidden?: true
  /** Returns what this machine lacks for it, or null. */
  missing?(): Promise<string | null>
  /** Starts the service. */
  open(stage: Stage): Promise<Site>
}

/** A scenario gets this from the program that runs it. */
export interface Stage {
  /** An empty folder, which is removed afterwards. */
  readonly folder: string
  readonly random: Seeded
  /** `SECRET_KEYS` of every process. */
  readonly secretKeys: string
  readonly clinic: () => string
  /** The calls that clients have made so far. */
  readonly history: readonly Entry[]
  /** Keeps a line of a process's log that tells of an error: it may explain a violation. */
  log(line: string): void
  /** Tells of a violation that only the scenario can see. */
  tell(text: string): void
  /** Runs at the end, the last first. */
  defer(undo: () => unknown): void
}

export interface Site {
  /** The address of the public API. Waits while the process that serves it restarts. */
  address(): Promise<string>
  /** The owner's login, past everything that a scenario breaks. */
  readonly ownerUrl: string
  /** Breaks something, and lets it work again. */
  fault(round: number): Promise<void>
}
