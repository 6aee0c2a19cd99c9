// A rule of the port, as data, and the trial that checks it.
import type { Operation } from '@clinic-data/contract'
import type { ClinicUnderTest, Question } from './clinic-under-test.ts'
import { type CallOutcome, inWords as outcomeInWords } from './outcome.ts'
import type { PortCaller } from './port-caller.ts'
import type { Subjects } from './subjects.ts'

/** The needs of a rule, besides the backend and its token. */
export type Need = 'clinic' | 'second clinic' | 'writes'

export interface Rule {
  /** Stable: scripts branch on it. The part before the first dot is its group. */
  readonly name: string
  /** A sentence that says what the rule protects a clinic or its integrations from. */
  readonly protects: string
  readonly needs: readonly Need[]
  check(trial: Trial): Promise<void>
}

/** One broken expectation: enough to ask the same again, and nothing of a patient's data. */
export interface Finding {
  operation: string
  asked: string
  expected: string
  came: string
}

/** Counts one question. @returns whether the rule holds there. */
type Expect = (expected: string, holds: boolean) => boolean

/** A clinic, and the subjects of questions in it. */
export interface Side {
  readonly clinic: ClinicUnderTest
  readonly subjects: Subjects
}

/** The backend under test, and its clinics. */
export interface Ground {
  readonly port: PortCaller
  /** The operations that the rules loop over: the contract's. */
  readonly operations: readonly Operation[]
  /** SHA-256 of the key, in hex. */
  readonly keyHash: string
  /** Null when the backend does not find the key's owner. */
  readonly side: Side | null
  /** The second clinic. */
  readonly otherSide: Side | null
  readonly now: () => Date
  /** The same ground, with no answers remembered. */
  anew(): Ground
}

/** A rule that is broken everywhere is reported a few times. */
const MOST_FINDINGS = 10

export class Trial {
  readonly ground: Ground
  readonly findings: Finding[] = []
  /** Counts all findings, also those that are not kept. */
  broken = 0
  /** How many questions could have shown a fault. */
  tried = 0
  /** Each names something that could not be tried, and why. */
  readonly untried = new Set<string>()

  constructor(ground: Ground) {
    this.ground = ground
  }

  get port(): PortCaller {
    return this.ground.port
  }

  /** For rules that need a clinic. */
  get clinic(): ClinicUnderTest {
    return required(this.ground.side).clinic
  }

  get subjects(): Subjects {
    return required(this.ground.side).subjects
  }

  /** For rules that need the second clinic. */
  get other(): Side {
    return required(this.ground.otherSide)
  }

  /** A question and its answer, of which something is then expected: `trial.saw(operation, question, outcome).expect('an answer', isRight)`. */
  saw(operation: Operation | string, question: Question | string, came: CallOutcome | string): { expect: Expect } {
    return { expect: (expected, holds) => this.#expect(operation, question, came, expected, holds) }
  }

  #expect(
    operation: Operation | string,
    question: Question | string,
    came: CallOutcome | string,
    ...[expected, holds]: Parameters<Expect>
  ): boolean {
    this.tried += 1
    if (holds) return true
    this.broken += 1
    if (this.findings.length < MOST_FINDINGS) {
      this.findings.push({
        operation: typeof operation === 'string' ? operation : operation.id,
        asked: typeof question === 'string' ? question : inWords(question),
        expected,
        came: typeof came === 'string' ? came : outcomeInWords(came),
      })
    }
    return false
  }

  /** The operations that read. Notes those whose scope the key lacks as untried. */
  reads(shape?: Operation['shape']): Operation[] {
    return this.ground.operations.filter((operation) => {
      if (operation.effect !== 'none' || (shape !== undefined && operation.shape !== shape)) return false
      // A feed has no end, and begins at any position.
      if (operation.order === 'feed' && shape === 'page') return false
      if (!this.clinic.may(operation)) this.untried.add(`${operation.id}: the key lacks ${operation.scope}`)
      return this.clinic.may(operation)
    })
  }

  /** Each question that the clinic can be asked of the operations that read. */
  async *questions(shape?: Operation['shape']): AsyncGenerator<{ operation: Operation; question: Question }> {
    for (const operation of this.reads(shape))
      for (const question of await this.subjects.of(operation)) yield { operation, question }
  }

  /** Finds an operation by its id, if it is served and the key may call it. */
  served(id: string): Operation | undefined {
    return this.ground.operations.find((operation) => operation.id === id && this.clinic.may(operation))
  }
}

function required<T>(part: T | null): T {
  if (part === null) throw new Error('the rule uses something that its needs do not list')
  return part
}

/** Parameters that hold a patient's data. A report names them, never their values. */
const PRIVATE = new Set(['phone', 'email', 'query'])
const SHOWN_CHARACTERS = 80

/** Describes a question in a report. */
export function inWords({ params = {}, query = {}, limit, after, body, idempotency_key }: Question): string {
  const shown = (value: unknown) => String(JSON.stringify(value)).slice(0, SHOWN_CHARACTERS)
  const words = [
    ...Object.entries(params).map(([name, value]) => `${name}=${shown(value)}`),
    ...Object.entries(query).map(([name, value]) => `${name}=${PRIVATE.has(name) ? '(of a patient)' : shown(value)}`),
    ...(limit === undefined ? [] : [`limit=${limit}`]),
    ...(after ? ['after=(a position)'] : []),
    ...(body === undefined ? [] : [`a body of ${Object.keys(body as object).join(', ')}`]),
    ...(idempotency_key === undefined ? [] : ['idempotency_key=(given)']),
  ]
  return words.length === 0 ? 'no parameters' : words.join(' ')
}
