// Payments: recorded once, readable at once, and refused for an unknown patient or account or an impossible day.
import type { Operation } from '@clinic-data/contract'
import type { Question } from '../clinic-under-test.ts'
import { type Answered, type CallOutcome, isRefused } from '../outcome.ts'
import { differences, idOf, textAt, valueAt } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'
import { type Content, newName, newPayment, writing } from '../write-content.ts'
import { isMade, statusInWords } from './write-rules.ts'

const OPERATION = 'payments.create'

interface Made extends Content {
  operation: Operation
  payment: Answered
}

async function madePayment(trial: Trial): Promise<Made | null> {
  const operation = writing(trial, OPERATION)
  const content = operation ? await newPayment(trial) : null
  if (!operation || !content) return null
  const payment = await trial.clinic.ask(operation, content.question)
  if (payment.kind === 'answered' && isMade(payment)) return { ...content, operation, payment }
  trial.untried.add(`${OPERATION}: no payment could be recorded, see writes.answered`)
  return null
}

const readable: Rule = {
  name: 'payments.readable',
  protects: 'A recorded payment can be read at once, by its id and in the list of its patient, as it was sent.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const made = await madePayment(trial)
    const [get, list] = [trial.served('payments.get'), trial.served('payments.list')]
    if (!made || !get || !list) return
    const { question, payment } = made
    const id = textAt(payment.data, 'id') ?? ''
    const sent = question.body as Record<string, unknown>
    const differing = ['amount', 'method_type', 'external_id', 'description'].filter(
      (name) => valueAt(payment.data, name) !== sent[name],
    )
    trial
      .saw(OPERATION, question, `other values in ${differing.join(', ') || 'patient'}`)
      .expect(
        'the payment as it was sent, of the patient in the path',
        differing.length === 0 && textAt(payment.data, 'patient', 'id') === question.params?.id,
      )
    const found = await trial.clinic.ask(get, { params: { id } })
    const faults = found.kind === 'answered' ? differences(found.data, payment.data) : ['the whole payment']
    trial
      .saw(
        get,
        `id=${id}, recorded just before`,
        found.kind === 'answered' ? `other values in ${faults.join(', ')}` : found,
      )
      .expect('the payment as the answer to its recording showed it', faults.length === 0)
    const { rows } = await trial.clinic.walk(list, { ...(question.params ? { params: question.params } : {}) }, 100, 50)
    trial.saw(list, `the patient of the payment ${id}`, `${rows.length} other rows`).expect(
      'the payment',
      rows.some((row) => idOf(row) === id),
    )
  },
}

const externalId: Rule = {
  name: 'payments.external-id',
  protects:
    'A payment that a till sends again is recorded once. A different payment with the same external_id is refused.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const made = await madePayment(trial)
    if (!made) return
    const again = await trial.clinic.ask(made.operation, made.question)
    const isSame =
      again.kind === 'answered' && again.status === 200 && textAt(again.data, 'id') === textAt(made.payment.data, 'id')
    trial
      .saw(OPERATION, `${inWords(made.question)}, again`, statusInWords(again))
      .expect('200 with the first payment', isSame)
    const changed = await trial.clinic.ask(made.operation, made.changed)
    holdRefused(trial, 'conflict', `${inWords(made.changed)}, the same external_id with another amount`, changed)
  },
}

const refused: Rule = {
  name: 'payments.refused',
  protects: 'No money is booked to an unknown patient or account, in another currency, or for a future day.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const operation = writing(trial, OPERATION)
    if (!operation) return
    const DAY_MS = 86_400_000
    const tomorrow = new Date(trial.ground.now().getTime() + DAY_MS).toISOString()
    const currency = trial.clinic.clinic.currency === 'EUR' ? 'USD' : 'EUR'
    const changes: [words: string, change: object, pointer: string][] = [
      ['a future day as paid_at', { paid_at: tomorrow }, 'paid_at'],
      ['a billing account that does not exist', { billing_account_id: 'no-such-id-7f3a' }, 'billing_account_id'],
      ['another currency than the clinic’s', { currency }, 'currency'],
    ]
    for (const [words, change, pointer] of changes) {
      const content = await newPayment(trial)
      if (!content) return
      const question: Question = { ...content.question, body: { ...(content.question.body as object), ...change } }
      holdRefused(trial, 'unprocessable', words, await trial.clinic.ask(operation, question), pointer)
    }
    const content = await newPayment(trial)
    if (!content) return
    const nobody = await trial.clinic.ask(operation, { ...content.question, params: { id: 'no-such-id-7f3a' } })
    holdRefused(trial, 'not-found', 'a patient who does not exist', nobody)
  },
}

function holdRefused(trial: Trial, slug: string, words: string, outcome: CallOutcome, pointer?: string): void {
  const isExpected = isRefused(outcome, slug)
  const isTold = pointer === undefined || (isExpected && outcome.pointers.includes(`#/${pointer}`))
  trial
    .saw(OPERATION, words, isExpected ? 'the problem without the pointer' : statusInWords(outcome))
    .expect(
      `the problem ${slug}${pointer === undefined ? '' : `, errors with the pointer #/${pointer}`}`,
      isExpected && isTold,
    )
}

/** How many equal requests are sent at once, as by a till on a slow line. */
const AT_ONCE = 20

const atOnce: Rule = {
  name: 'payments.at-once',
  protects: 'Equal payments that arrive at the same time are recorded once, with one receipt.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const operation = writing(trial, OPERATION)
    const content = operation ? await newPayment(trial) : null
    if (!operation || !content) return
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, () => trial.clinic.ask(operation, content.question)),
    )
    const made = outcomes.filter(isMade).length
    const ids = new Set(outcomes.map((outcome) => (outcome.kind === 'answered' ? textAt(outcome.data, 'id') : null)))
    trial
      .saw(OPERATION, `${AT_ONCE} equal payments at once`, `201 ${made} times, ${ids.size} payments`)
      .expect(`201 once, 200 ${AT_ONCE - 1} times, all with one payment`, made === 1 && ids.size === 1)
  },
}

const isolated: Rule = {
  name: 'isolation.payments',
  protects: 'No payment is booked to a patient of another clinic.',
  needs: ['clinic', 'second clinic', 'writes'],
  async check(trial) {
    const operation = writing(trial, OPERATION)
    const content = operation ? await newPayment(trial) : null
    if (!operation || !content) return
    const ours = new Set((await trial.subjects.rowsOf('patient_id')).map(idOf))
    const theirs = (await trial.other.subjects.rowsOf('patient_id')).map(idOf).find((id) => !ours.has(id))
    if (!theirs || !(await trial.subjects.isWhole('patient_id'))) {
      trial.untried.add(`${OPERATION}: no patient of the second clinic is known to be missing in the first`)
      return
    }
    const body = { ...(content.question.body as object), external_id: newName() }
    const outcome = await trial.clinic.ask(operation, { params: { id: theirs }, body })
    holdRefused(trial, 'not-found', `the patient ${theirs} of the second clinic`, outcome)
  },
}

export const paymentRules: readonly Rule[] = [readable, externalId, refused, atOnce, isolated]
