// Leads: a person who asks twice is one lead, however the phone number or the email is written.
import type { Operation } from '@clinic-data/contract'
import { localPhone, normalPhone } from '@clinic-data/contract/phone'
import type { Answered, CallOutcome } from '../outcome.ts'
import { textAt } from '../row.ts'
import type { Rule, Trial } from '../rule.ts'
import { newLead, newName, newPhone, writing } from '../write-content.ts'
import { isMade, statusInWords } from './write-rules.ts'

const OPERATION = 'leads.create'

interface Made {
  operation: Operation
  body: Record<string, unknown>
  lead: Answered
}

/** Makes a new lead. Null when that fails: then the rule cannot be tried. */
async function madeLead(trial: Trial, changes: Record<string, unknown> = {}): Promise<Made | null> {
  const operation = writing(trial, OPERATION)
  const content = await newLead(trial)
  if (!operation || !content) return null
  const body = { ...(content.question.body as object), ...changes }
  const lead = await trial.clinic.ask(operation, { body })
  if (lead.kind === 'answered' && isMade(lead)) return { operation, body, lead }
  trial.untried.add(`${OPERATION}: no lead could be made, see writes.answered`)
  return null
}

function isSame(outcome: CallOutcome, { lead }: Made): boolean {
  return outcome.kind === 'answered' && outcome.status === 200 && textAt(outcome.data, 'id') === textAt(lead.data, 'id')
}

function holdSame(trial: Trial, made: Made, words: string, outcome: CallOutcome): void {
  trial
    .saw(
      OPERATION,
      words,
      outcome.kind === 'answered'
        ? `${statusInWords(outcome)} with the lead ${textAt(outcome.data, 'id')}`
        : statusInWords(outcome),
    )
    .expect(`200 with the lead ${textAt(made.lead.data, 'id')}, made before`, isSame(outcome, made))
}

const asSent: Rule = {
  name: 'leads.as-sent',
  protects: 'A lead holds what was submitted, and its first status is new.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const made = await madeLead(trial, { email: `${newName()}@example.com` })
    if (!made) return
    const { body, lead } = made
    const names = ['first_name', 'last_name', 'phone', 'email', 'source']
    const differing = names.filter((name) => textAt(lead.data, name) !== body[name])
    trial
      .saw(
        OPERATION,
        `a body of ${Object.keys(body).join(', ')}`,
        differing.length > 0 ? `other values in ${differing.join(', ')}` : 'another status',
      )
      .expect(
        `${names.join(', ')} as they were sent, status new`,
        differing.length === 0 && textAt(lead.data, 'status') === 'new',
      )
  },
}

const externalId: Rule = {
  name: 'leads.external-id',
  protects: 'A channel that sends a submission again, an hour or a year later, makes no second lead.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const made = await madeLead(trial)
    if (!made) return
    const { operation, body } = made
    holdSame(trial, made, 'the same submission again', await trial.clinic.ask(operation, { body }))
    const moved = { ...body, phone: newPhone() }
    holdSame(trial, made, 'the same external_id with another phone', await trial.clinic.ask(operation, { body: moved }))
    const joined = { ...body, external_id: newName() }
    await trial.clinic.ask(operation, { body: joined })
    const again = { ...joined, phone: newPhone() }
    holdSame(
      trial,
      made,
      'the external_id of a submission that joined the lead by its phone',
      await trial.clinic.ask(operation, { body: again }),
    )
  },
}

const phone: Rule = {
  name: 'leads.phone',
  protects: 'A person who fills in a form and then calls is one lead.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const made = await madeLead(trial)
    if (!made) return
    const { country } = trial.clinic.clinic
    const normal = String(made.body.phone)
    const local = localPhone(normal, country)
    const forms = [
      `${normal.slice(0, 4)} ${normal.slice(4, 6)} ${normal.slice(6)}`,
      `${normal.slice(0, 4)}-${normal.slice(4, 6)}-${normal.slice(6)}`,
      `${local.slice(0, 3)}-${local.slice(3)}`,
    ].filter((form) => normalPhone(form, country) === normal)
    for (const form of forms) {
      const body = { ...made.body, external_id: newName(), phone: form }
      holdSame(
        trial,
        made,
        'another external_id, the same phone written in another way',
        await trial.clinic.ask(made.operation, { body }),
      )
    }
  },
}

const email: Rule = {
  name: 'leads.email',
  protects: 'Emails match regardless of upper and lower case.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const made = await madeLead(trial, { email: `${newName()}@example.com`, phone: undefined })
    if (!made) return
    const body = { ...made.body, external_id: newName(), email: String(made.body.email).toUpperCase() }
    holdSame(
      trial,
      made,
      'another external_id, the same email in upper case',
      await trial.clinic.ask(made.operation, { body }),
    )
  },
}

/** How many equal requests are sent at once, as when a form's button is pressed repeatedly. */
const AT_ONCE = 20

const atOnce: Rule = {
  name: 'leads.at-once',
  protects: 'Equal submissions that arrive at the same time make one lead.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const operation = writing(trial, OPERATION)
    const content = await newLead(trial)
    if (!operation || !content) return
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, () => trial.clinic.ask(operation, content.question)),
    )
    const made = outcomes.filter(isMade).length
    const found = outcomes.filter((outcome) => outcome.kind === 'answered' && outcome.status === 200).length
    const ids = new Set(outcomes.map((outcome) => (outcome.kind === 'answered' ? textAt(outcome.data, 'id') : null)))
    trial
      .saw(
        OPERATION,
        `${AT_ONCE} equal submissions at once`,
        `201 ${made} times, 200 ${found} times, ${ids.size} leads`,
      )
      .expect(
        `201 once, 200 ${AT_ONCE - 1} times, all with one lead`,
        made === 1 && found === AT_ONCE - 1 && ids.size === 1,
      )
  },
}

const isolated: Rule = {
  name: 'isolation.leads',
  protects: 'A person who asks at two clinics is a lead of each, and neither clinic learns of the other.',
  needs: ['clinic', 'second clinic', 'writes'],
  async check(trial) {
    const made = await madeLead(trial)
    if (!made) return
    if (!trial.other.clinic.may(made.operation)) {
      trial.untried.add(`${OPERATION}: the key of the second clinic lacks ${made.operation.scope}`)
      return
    }
    const outcome = await trial.other.clinic.ask(made.operation, { body: made.body })
    trial
      .saw(OPERATION, 'the same submission by the second clinic', statusInWords(outcome))
      .expect('201: a lead of its own', isMade(outcome))
  },
}

export const leadRules: readonly Rule[] = [asSent, externalId, phone, email, atOnce, isolated]
