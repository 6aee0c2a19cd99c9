// The event feed: it says how far it has been read, and reading on from there gives each later event once.
import type { Operation, Position } from '@clinic-data/contract'
import { textAt } from '../row.ts'
import type { Rule, Trial } from '../rule.ts'
import { newPayment, writing } from '../write-content.ts'

const FEED = 'events.list'

/** Reads the position of the feed's end. Reports a finding when it is missing or malformed. */
async function endOf(trial: Trial, feed: Operation, after: Position | null): Promise<Position | null> {
  const outcome = await trial.clinic.ask(feed, { after, limit: 100 })
  const resume = outcome.kind === 'answered' ? outcome.resume : null
  trial
    .saw(
      FEED,
      after === null ? 'no parameters' : 'after=(the resume of the previous answer)',
      outcome.kind === 'answered' ? 'an answer without it' : outcome,
    )
    .expect('resume: the position up to which the feed has been read', resume !== null)
  return resume
}

const resume: Rule = {
  name: 'events.resume',
  protects: 'A reader of the feed always knows where to continue, even when there were no events.',
  needs: ['clinic'],
  async check(trial) {
    const feed = writing(trial, FEED)
    const end = feed ? await endOf(trial, feed, null) : null
    if (feed && end) await endOf(trial, feed, end)
  },
}

const missed: Rule = {
  name: 'events.told',
  protects: 'A reader that was away gets each missed event once, so nobody misses a payment or books it twice.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const [feed, pay] = [writing(trial, FEED), writing(trial, 'payments.create')]
    const before = feed && pay ? await endOf(trial, feed, null) : null
    if (!feed || !pay || !before) return
    const paid = [await recorded(trial, pay), await recorded(trial, pay)]
    if (paid.includes(null)) return void trial.untried.add(`${FEED}: no payment could be recorded, see writes.answered`)
    // The first answer is a full page with more behind it.
    const first = await trial.clinic.ask(feed, { after: before, limit: 1 })
    const [rows, after] = first.kind === 'answered' ? [first.rows, first.resume] : [[], null]
    const second = after ? await trial.clinic.ask(feed, { after, limit: 100 }) : null
    const reported = [...rows, ...(second?.kind === 'answered' ? second.rows : [])]
      .filter((row) => textAt(row, 'type') === 'payment.recorded')
      .map((row) => textAt(row, 'data', 'id'))
    const times = paid.map((id) => reported.filter((one) => one === id).length)
    const failed = [first, second].find((outcome) => outcome !== null && outcome.kind !== 'answered')
    trial
      .saw(
        FEED,
        'limit=1&after=(a position from before two payments were recorded), then the resume of that answer',
        failed ?? `${times.join(' and ')} of them`,
      )
      .expect('one payment.recorded event about each', times.join() === '1,1')
  },
}

/** Records a payment. @returns its id. */
async function recorded(trial: Trial, pay: Operation): Promise<string | null> {
  const content = await newPayment(trial)
  const payment = content && (await trial.clinic.ask(pay, content.question))
  return payment?.kind === 'answered' ? textAt(payment.data, 'id') : null
}

export const eventRules: readonly Rule[] = [resume, missed]
