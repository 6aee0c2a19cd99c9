// Makes the content that the kit writes: leads, payments and messages that were never sent before.
import { randomBytes, randomInt } from 'node:crypto'
import type { Operation } from '@clinic-data/contract'
import type { Question } from './clinic-under-test.ts'
import { idOf, textAt, valueAt } from './row.ts'
import type { Trial } from './rule.ts'

/** A new request, and the same request with other content. */
export interface Content {
  question: Question
  changed: Question
}

/** Null when the clinic lacks what such a request needs. Notes that in the trial. */
type MakeContent = (trial: Trial) => Promise<Content | null>

export function newName(): string {
  return `conformance-${randomBytes(9).toString('hex')}`
}

/** A valid phone number that nobody has: 7 digits behind a mobile prefix. */
export function newPhone(): string {
  return `+97250${String(randomInt(10_000_000)).padStart(7, '0')}`
}

export const newLead: MakeContent = async () => {
  const body = {
    first_name: 'Conformance',
    last_name: 'Kit',
    phone: newPhone(),
    source: 'website',
    note: 'Made by the conformance kit',
    external_id: newName(),
    attribution: { utm_source: 'conformance' },
  }
  return { question: { body }, changed: { body: { ...body, first_name: 'Another' } } }
}

export const newPayment: MakeContent = async (trial) => {
  const [patient] = await trial.subjects.rowsOf('patient_id')
  const accounts = trial.served('catalog.billing_accounts.list')
  const [account] = accounts ? (await trial.clinic.list(accounts)).rows : []
  const [id, billing_account_id] = [patient && idOf(patient), account && idOf(account)]
  if (!id || !billing_account_id) {
    trial.untried.add('payments.create: the clinic lists no patient or no billing account')
    return null
  }
  const body = {
    amount: inCurrency(12.34, trial),
    method_type: 'cash',
    billing_account_id,
    external_id: newName(),
    description: 'Conformance',
  }
  return {
    question: { params: { id }, body },
    changed: { params: { id }, body: { ...body, amount: inCurrency(23.45, trial) } },
  }
}

/** Whole in a currency without decimals. */
function inCurrency(amount: number, { clinic: { clinic } }: Trial): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: clinic.currency })
  return format.resolvedOptions().maximumFractionDigits === 0 ? Math.trunc(amount) : amount
}

export const newMessage: MakeContent = async (trial) => {
  const rows = await trial.subjects.rowsOf('conversation_id')
  const open = rows.find((row) => textAt(row, 'free_text_window_expires_at') !== null)
  if (open) {
    const body = { conversation_id: idOf(open), text: `Conformance ${newName()}` }
    return { question: { body }, changed: { body: { ...body, text: 'Another' } } }
  }
  const [conversation] = rows
  const templates = trial.served('chat.templates.list')
  const [template] = templates ? (await trial.clinic.list(templates)).rows : []
  if (!conversation || !template) {
    trial.untried.add(
      'chat.messages.create: no conversation has an open window, and no approved template can be sent instead',
    )
    return null
  }
  const variables = [valueAt(template, 'variables')]
    .flat()
    .map((one) => [textAt(one, 'name'), textAt(one, 'example') ?? 'x'])
  const named = { name: textAt(template, 'name'), language: textAt(template, 'language') }
  const body = { conversation_id: idOf(conversation), template: { ...named, variables: Object.fromEntries(variables) } }
  return { question: { body }, changed: { body: { ...body, allow_template: false } } }
}

const contents: Readonly<Record<string, MakeContent>> = {
  'leads.create': newLead,
  'payments.create': newPayment,
  'chat.messages.create': newMessage,
}

/** New content for each write that the kit can make, the backend serves and the key may call. Notes the others in the trial. */
export async function* writes(trial: Trial): AsyncGenerator<{ operation: Operation; content: Content }> {
  for (const [id, make] of Object.entries(contents)) {
    const operation = writing(trial, id)
    const content = operation ? await make(trial) : null
    if (operation && content) yield { operation, content }
  }
}

export function writing(trial: Trial, id: string): Operation | undefined {
  const operation = trial.ground.operations.find((one) => one.id === id)
  if (!operation) trial.untried.add(`${id} is not served yet`)
  else if (!trial.clinic.may(operation)) trial.untried.add(`${id}: the key lacks ${operation.scope}`)
  return trial.served(id)
}
