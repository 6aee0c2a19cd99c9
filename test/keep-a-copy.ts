// The examples `keep-a-copy.mjs` and `.py`, each as a process of its own, the clinic's system that writes meanwhile, and the comparison of the copy with the
// service, row by row.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { ClinicDataClient } from '@clinic-data/client'
import { python, pythonVariables } from '@clinic-data/testing/programs/python'
import { until } from '@clinic-data/testing/until'
import { Seeded } from './faults/seeded.ts'

const examples = join(import.meta.dirname, '../examples')

/** A program that keeps a copy. */
export interface Keeper {
  readonly program: string
  readonly example: string
  readonly variables: Readonly<Record<string, string>>
}

export const inJavaScript: Keeper = { program: process.execPath, example: 'keep-a-copy.mjs', variables: {} }
/** Null where there is no Python for it. */
export const inPython: Keeper | null =
  python === null ? null : { program: python, example: 'keep-a-copy.py', variables: pythonVariables }

/** A keeper that is asked something else: its end, and what it printed. */
export function usage({ program, example, variables }: Keeper, option: string) {
  return spawnSync(program, [join(examples, example), option], { encoding: 'utf8', env: { ...variables } })
}

/** Stores records as the clinic's own system. */
export type Store = (path: string, records: readonly object[]) => Promise<unknown>

type Rows = Record<string, unknown>

/** The rows of each kind by their ids. */
interface Copy {
  readonly patients: Rows
  readonly appointments: Rows
  readonly treatments: Rows
  readonly payments: Rows
}

const kinds = ['patients', 'appointments', 'treatments', 'payments'] as const

/** A first read that has only begun. */
export const NOTHING_READ = {
  isFirst: true,
  cursor: null,
  since: {},
  unread: [],
  patients: {},
  appointments: {},
  treatments: {},
  payments: {},
}

/** One copy, which one program after another keeps. The end of the tests ends the program and removes the copy. */
export class KeptCopy {
  readonly #keeper: Keeper
  readonly #environment: Readonly<Record<string, string>>
  readonly #client: ClinicDataClient
  readonly #folder = mkdtempSync(join(tmpdir(), 'keep-a-copy-'))
  #child: ChildProcess | null = null
  /** Everything that the programs have printed. */
  printed = ''

  /** @param ownUrl the service's own address, where the program's leads through something that a test breaks. */
  constructor(keeper: Keeper, apiKey: string, baseUrl: string, ownUrl = baseUrl) {
    this.#keeper = keeper
    this.#environment = { ...keeper.variables, SC_API_KEY: apiKey, SC_BASE_URL: baseUrl }
    this.#client = new ClinicDataClient({ apiKey, baseUrl: ownUrl })
    after(async () => {
      await this.kill()
      rmSync(this.#folder, { recursive: true })
    })
  }

  get #file(): string {
    return join(this.#folder, 'copy.json')
  }

  get #begun(): string {
    return `${this.#file}.begun`
  }

  /** The program begins its first read, cannot store it when it is whole, and ends. @returns what it has kept of it */
  async breaksItsFirstRead(): Promise<Rows & Copy> {
    this.begins(NOTHING_READ)
    mkdirSync(join(this.#file, 'in-the-way'), { recursive: true })
    this.start()
    await once(this.#child as ChildProcess, 'exit')
    this.#child = null
    rmSync(this.#file, { recursive: true })
    return JSON.parse(readFileSync(this.#begun, 'utf8'))
  }

  /** The program begins its first read and ends where it first stores. */
  async cannotStore(): Promise<void> {
    mkdirSync(`${this.#begun}.new`)
    this.start()
    await once(this.#child as ChildProcess, 'exit')
    this.#child = null
    rmSync(`${this.#begun}.new`, { recursive: true })
  }

  /** The place in the list of patients that the first read asks for. */
  async cursorBehind(patients: number): Promise<string | null> {
    let left = patients
    const list = this.#client.patients.list({ updated_since: '1970-01-01T00:00:00Z', limit: 100 })
    for await (const { data, next_cursor } of list.pages()) {
      left -= data.length
      if (left <= 0) return next_cursor
    }
    throw new Error(`the list has not ${patients} patients`)
  }

  /** Leaves a first read that is not whole for the next program. */
  begins(firstRead: object): void {
    writeFileSync(this.#begun, JSON.stringify(firstRead))
  }

  get isBegun(): boolean {
    return existsSync(this.#begun)
  }

  start(): void {
    const { program, example } = this.#keeper
    const child = spawn(program, [join(examples, example), this.#file], { env: this.#environment })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        this.printed += chunk
      })
  }

  /** As a power cut does: at whatever it is. */
  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** What is stored now. Null before the first time. */
  stored(): string | null {
    return existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : null
  }

  /** Resolves when the program has printed a text. */
  async prints(text: string): Promise<void> {
    await until(
      async () => this.printed.includes(text),
      () => this.printed,
    )
  }

  /** Resolves when something else is stored than before. */
  async stores(before: string | null): Promise<void> {
    await until(
      async () => this.stored() !== before,
      () => `nothing was stored\n${this.printed}`,
    )
  }

  /** Resolves when the copy holds what the service serves: no row more, none less, none different. */
  async isWhole(): Promise<Copy> {
    const served = await this.#served()
    let different: readonly string[] = []
    await until(
      async () => {
        assert.ok(this.#child?.exitCode === null, `${this.#keeper.example} has ended\n${this.printed}`)
        different = differences(JSON.parse(this.stored() ?? '{}'), served)
        return different.length === 0
      },
      () => `${this.#keeper.example}: ${different.length} rows differ: ${different.slice(0, 10)}\n${this.printed}`,
    )
    return served
  }

  async #served(): Promise<Copy> {
    const { patients, appointments, treatments, payments } = this.#client
    const served = {
      patients: await byId(patients.list({ limit: 100 })),
      appointments: await byId(appointments.list({ limit: 100 })),
      treatments: {} as Rows,
      payments: await byId(payments.search({ limit: 100 })),
    }
    for (const id of Object.keys(served.patients)) Object.assign(served.treatments, await byId(treatments.list(id)))
    return served
  }
}

async function byId(rows: AsyncIterable<{ id: string }>): Promise<Rows> {
  const found: Rows = {}
  for await (const row of rows) found[row.id] = row
  return found
}

/** The rows that only one of both has, or that are not the same. */
function differences(copy: Partial<Copy>, served: Copy): string[] {
  return kinds.flatMap((kind) => {
    const [mine, theirs] = [copy[kind] ?? {}, served[kind]]
    const ids = new Set([...Object.keys(mine), ...Object.keys(theirs)])
    return [...ids].filter((id) => !isDeepStrictEqual(mine[id], theirs[id])).map((id) => `${kind}/${id}`)
  })
}

/** What a clinic's own system writes, the same for the same seed: every kind of change that a copy has to follow. */
export class ClinicAtWork {
  readonly #store: Store
  readonly #seeded: Seeded
  readonly #patients: string[] = []
  readonly #appointments: string[] = []
  readonly #treatments: string[] = []
  readonly #payments: string[] = []
  #made = 0

  constructor(store: Store, seed: number) {
    this.#store = store
    this.#seeded = new Seeded(seed)
  }

  /** New patients, each with a row of every kind. Each row is an event, and each kind has so many. */
  async admit(count: number): Promise<void> {
    const patients = Array.from({ length: count }, () => this.#newId('p', this.#patients))
    await this.#store(
      '/patients',
      patients.map((id) => ({ id, first_name: `Noa-${id}`, last_name: 'Levi' })),
    )
    await this.#store(
      '/appointments',
      patients.map((id) => this.#appointment(this.#newId('a', this.#appointments), id)),
    )
    await this.#store(
      '/treatments',
      patients.map((id) => treatment(this.#newId('t', this.#treatments), id)),
    )
    await this.#store(
      '/payments',
      patients.map((id) => payment(this.#newId('y', this.#payments), id)),
    )
  }

  /**
   * One change of each kind, of rows that chance names.
   * @returns the id of a new payment that no later change names, so that a test may take it away
   */
  async change(): Promise<string> {
    const of = this.#seeded
    const mark = this.#made++
    await this.#store('/patients', [{ id: of.pick(this.#patients), first_name: `Dana-${mark}`, last_name: 'Cohen' }])
    await this.#store('/appointments', [this.#appointment(of.pick(this.#appointments), of.pick(this.#patients))])
    await this.#store('/appointments', [this.#appointment(this.#newId('a', this.#appointments), null)])
    // One comes for each that goes: a slow first copy is made beside any number of changes.
    await this.#store('/treatments', [treatment(this.#newId('t', this.#treatments), of.pick(this.#patients))])
    await this.#store('/treatments/remove', [
      { id: this.#treatments.splice(of.between(0, this.#treatments.length - 1), 1)[0] },
    ])
    const refunded = of.pick(this.#payments)
    await this.#store('/refunds', [{ id: this.#newId('r', []), refunded_payment_id: refunded, amount: 1 }])
    const corrected = this.#newId('y', [])
    const patient = of.pick(this.#patients)
    await this.#store('/payments', [payment(corrected, patient)])
    // It fires nothing.
    await this.#store('/payments', [{ ...payment(corrected, patient), description: `corrected ${mark}` }])
    return corrected
  }

  #appointment(id: string, patient_id: string | null): object {
    const day = String(this.#seeded.between(1, 28)).padStart(2, '0')
    return { id, patient_id, start: `2026-12-${day}T09:00:00Z`, end: `2026-12-${day}T09:30:00Z` }
  }

  #newId(prefix: string, known: string[]): string {
    const id = `${prefix}${this.#made++}`
    known.push(id)
    return id
  }
}

const treatment = (id: string, patient_id: string) => ({
  id,
  patient_id,
  quantity: 1,
  price: 200,
  performed_at: '2026-11-02T09:20:00Z',
})

const payment = (id: string, patient_id: string) => ({
  id,
  patient_id,
  amount: 350,
  currency: 'ILS',
  method_type: 'cash',
  paid_at: '2026-11-02T10:00:00Z',
})
