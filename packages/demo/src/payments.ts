// The payments of the demo clinic's patients, in the order of time, so that documents are numbered without gaps.

import { PaymentDocumentRecord, PaymentRecord } from '@clinic-data/records/payments'
import { type Brief, complete } from '@clinic-data/records/storing/complete-record'
import type { Visit } from './calendar.ts'
import { type ClinicPlan, drawFor } from './clinic-plan.ts'
import type { ExampleVisit } from './examples/story.ts'
import { instantText } from './local-days.ts'
import type { Random } from './random.ts'
import { BILLING_ACCOUNTS } from './reference-data.ts'
import { majorUnits } from './treatments.ts'

/** A payment or refund that will be recorded at its time. */
type Due = Omit<Brief<PaymentRecord>, 'documents' | 'created_at' | 'updated_at' | 'paid_at'> & {
  at: number
  branch: number
}

/** The last document number, by billing account and document type. */
export type DocumentNumbers = Map<string, number>

const DAY_MS = 86_400_000

const METHODS = [
  ['credit_card', 56],
  ['payment_app', 16],
  ['cash', 13],
  ['bank_transfer', 8],
  ['check', 6],
  ['other', 1],
] as const

const DESCRIPTIONS = ['Treatment', 'טיפול', 'Balance', 'יתרה', null, null] as const

export class PaymentLedger {
  readonly #plan: ClinicPlan
  readonly #numbers: DocumentNumbers
  #due: Due[] = []

  constructor(plan: ClinicPlan, numbers: DocumentNumbers) {
    this.#plan = plan
    this.#numbers = numbers
  }

  /** Plans the payments of a visit: at once, later, in two parts, or never. */
  add(visit: Visit, netMinor: number): void {
    if (netMinor <= 0) return
    if (visit.example) {
      this.#due.push(this.#ofExample(visit, visit.example.payment, netMinor))
      return
    }
    const draw = drawFor(this.#plan, 'bill', visit.number)
    const at = visit.endsAt + draw.whole(60_000, 900_000)
    const later = at + Math.floor((1 + 44 * draw.next()) * DAY_MS)
    const habit = draw.next()
    if (habit < 0.76) this.#owe(visit, 0, netMinor, at, draw)
    else if (habit < 0.84) {
      const first = Math.round(netMinor / 2)
      this.#owe(visit, 0, first, at, draw)
      this.#owe(visit, 1, netMinor - first, later, draw)
    } else if (habit < 0.93) this.#owe(visit, 0, netMinor, later, draw)
  }

  /** Takes all payments due before an instant, oldest first, each with its documents. */
  settle(before: number): PaymentRecord[] {
    const until = Math.min(before, this.#plan.now)
    const ripe = this.#due.filter(({ at }) => at < until).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    this.#due = this.#due.filter(({ at }) => at >= until)
    return ripe.map((due) => this.#recorded(due))
  }

  #owe(visit: Visit, part: number, amountMinor: number, at: number, draw: Random): void {
    const payment: Due = {
      id: `pay${visit.record.id.slice(1)}${part}`,
      patient_id: visit.record.patient_id,
      billing_account_id: accountOf(visit.branch).id,
      amount: majorUnits(amountMinor),
      currency: this.#plan.clinic.currency,
      method_type: draw.weighted(METHODS),
      is_refund: false,
      status: draw.chance(0.012) ? 'cancelled' : 'recorded',
      description: draw.pick(DESCRIPTIONS),
      at,
      branch: visit.branch,
    }
    this.#due.push(payment)
    if (payment.status === 'cancelled') {
      this.#due.push({ ...payment, id: `${payment.id}b`, status: 'recorded', at: at + 120_000 })
    } else if (draw.chance(0.015)) {
      const refundedMinor = draw.chance(0.5) ? amountMinor : Math.round(amountMinor / 4)
      this.#due.push({
        ...payment,
        id: `${payment.id}r`,
        amount: majorUnits(refundedMinor),
        is_refund: true,
        refunded_payment_id: payment.id,
        description: 'Refund',
        at: at + Math.floor((0.01 + 20 * draw.next()) * DAY_MS),
      })
    }
  }

  #ofExample({ record, branch, endsAt }: Visit, { afterMs, ...payment }: ExampleVisit['payment'], minor: number): Due {
    return {
      ...payment,
      patient_id: record.patient_id,
      billing_account_id: accountOf(branch).id,
      amount: majorUnits(minor),
      currency: this.#plan.clinic.currency,
      is_refund: false,
      status: 'recorded',
      at: endsAt + afterMs,
      branch,
    }
  }

  #recorded({ at, branch, ...payment }: Due): PaymentRecord {
    const paid_at = instantText(at)
    const account = accountOf(branch)
    const documents = [this.#issue(account.id, payment.is_refund ? 'credit_invoice' : account.document_type, paid_at)]
    if (payment.status === 'cancelled') documents.push(this.#issue(account.id, 'credit_invoice', paid_at))
    // A cancellation comes a minute after the mistake.
    const updated_at = payment.status === 'cancelled' ? instantText(Math.min(at + 60_000, this.#plan.now)) : paid_at
    return complete(PaymentRecord, { ...payment, paid_at, documents, created_at: paid_at, updated_at })
  }

  #issue(billing_account_id: string, type: PaymentDocumentRecord['type'], issued_at: string): PaymentDocumentRecord {
    const key = `${billing_account_id} ${type}`
    const number = (this.#numbers.get(key) ?? 0) + 1
    this.#numbers.set(key, number)
    const id = `${billing_account_id}-${type}-${number}`
    return complete(PaymentDocumentRecord, { id, billing_account_id, type, number, issued_at })
  }
}

function accountOf(branch: number): (typeof BILLING_ACCOUNTS)[number] {
  return branch === 0 ? BILLING_ACCOUNTS[0] : BILLING_ACCOUNTS[1]
}
