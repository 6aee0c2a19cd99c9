// Lets one thing at a time happen in a clinic, when a person asks for it: sent to the ingest API, as the clinic's own systems would. What
// follows by itself (a recording after its call) comes some seconds later.
import {
  listIngestTokens,
  mintIngestToken,
  revokeIngestToken,
} from '@clinic-data/administration/credentials/ingest-tokens'
import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import type { Database } from '@clinic-data/database'
import type { Action } from './actions/action.ts'
import { book } from './actions/appointments.ts'
import { ring } from './actions/calls.ts'
import { write } from './actions/chats.ts'
import { ingestClient } from './ingest-client.ts'
import { LivingClinic } from './living-clinic.ts'
import { meetClinic } from './meet-clinic.ts'

const ACTIONS = { appointment: book, call: ring, message: write } satisfies Record<string, Action['run']>

/** By this name a token that a killed process left is found and revoked. */
const TOKEN_NAME = "The console's demo buttons"
const SEEDS = 1_000_000_000

export interface StageOptions {
  owner: Database
  clinic: Clinic
  /** The address of the private listener, once it listens. */
  address: () => string
  /** Called when something that follows by itself could not be sent. */
  onError: (error: unknown) => void
  now?: () => Date
}

interface Opened {
  living: LivingClinic
  token_id: string
}

export class Stage {
  readonly #options: StageOptions
  readonly #now: () => Date
  readonly #timers = new Set<NodeJS.Timeout>()
  #opened: Promise<Opened> | null = null
  #isClosed = false

  constructor(options: StageOptions) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
  }

  get clinic_id(): string {
    return this.#options.clinic.clinic_id
  }

  /** Resolves when the change is stored. @throws Refused when the service refuses it. */
  async act(action: keyof typeof ACTIONS): Promise<void> {
    this.#opened ??= this.#open()
    const opened = this.#opened
    const { living } = await opened.catch((error: unknown) => {
      // The next one tries again.
      if (this.#opened === opened) this.#opened = null
      throw error
    })
    await ACTIONS[action](living)
    this.#plan(living)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    const opened = await this.#opened?.catch(() => null)
    if (opened) await this.#revoke(opened.token_id)
  }

  async #open(): Promise<Opened> {
    const { owner, clinic, address } = this.#options
    const { clinic_id } = clinic
    const met = await meetClinic(owner, clinic)
    for (const { id, name, revoked_at } of await listIngestTokens(owner, clinic_id)) {
      if (name === TOKEN_NAME && revoked_at === null) await this.#revoke(id)
    }
    const now = this.#now()
    const { id: token_id, token } = await mintIngestToken(owner, { clinic_id, name: TOKEN_NAME, now })
    const run = newId('demo', now).slice('demo_'.length)
    const seed = now.getTime() % SEEDS
    return {
      living: new LivingClinic({ ...met, ingest: ingestClient(address(), token), now: this.#now, seed, run }),
      token_id,
    }
  }

  #revoke(id: string) {
    return revokeIngestToken(this.#options.owner, { clinic_id: this.clinic_id, id, now: this.#now() })
  }

  #plan(living: LivingClinic): void {
    for (const { at, run } of living.followUps.splice(0)) {
      if (this.#isClosed) return
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer)
          run().then(() => this.#plan(living), this.#options.onError)
        },
        Math.max(0, at - this.#now().getTime()),
      )
      this.#timers.add(timer.unref())
    }
  }
}
