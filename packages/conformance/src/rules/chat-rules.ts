// Sending: a message is accepted as queued and can be read at once. A message that cannot be sent is refused.

import type { Question } from '../clinic-under-test.ts'
import { isRefused } from '../outcome.ts'
import { idOf, textAt } from '../row.ts'
import type { Rule } from '../rule.ts'
import { newMessage, writing } from '../write-content.ts'
import { statusInWords } from './write-rules.ts'

const OPERATION = 'chat.messages.create'

const queued: Rule = {
  name: 'chat.queued',
  protects: 'An accepted message is queued in its conversation, and can be followed by its id.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const operation = writing(trial, OPERATION)
    const content = operation ? await newMessage(trial) : null
    const [get, list] = [trial.served('chat.messages.get'), trial.served('chat.conversations.messages.list')]
    if (!operation || !content || !get || !list) return
    const { question } = content
    const sent = question.body as { conversation_id: string; text?: string }
    const outcome = await trial.clinic.ask(operation, question)
    const [message] = outcome.kind === 'answered' ? outcome.rows : []
    const id = (message && idOf(message)) ?? ''
    const expected = {
      direction: 'outbound',
      status: 'queued',
      conversation_id: sent.conversation_id,
      ...(sent.text ? { text: sent.text } : {}),
    }
    const differing = Object.entries(expected).flatMap(([name, value]) =>
      textAt(message, name) === value ? [] : [name],
    )
    trial
      .saw(
        OPERATION,
        question,
        outcome.kind === 'answered' ? `other values in ${differing.join(', ') || 'id'}` : statusInWords(outcome),
      )
      .expect(
        'a message whose id begins with out_: outbound, queued, in the conversation, with the text that was sent',
        id.startsWith('out_') && differing.length === 0,
      )
    const found = await trial.clinic.ask(get, { params: { id } })
    trial
      .saw(get, `id=${id}, accepted just before`, found)
      .expect('the message', found.kind === 'answered' && textAt(found.data, 'id') === id)
    const { rows } = await trial.clinic.walk(list, { params: { id: sent.conversation_id } }, 100, 1)
    trial.saw(list, `the conversation of the message ${id}`, `${rows.length} other rows`).expect(
      'the message',
      rows.some((row) => idOf(row) === id),
    )
  },
}

const refused: Rule = {
  name: 'chat.refused',
  protects: 'A message that cannot be sent is refused at once, so nobody waits for an answer to it.',
  needs: ['clinic', 'writes'],
  async check(trial) {
    const operation = writing(trial, OPERATION)
    if (!operation) return
    const conversations = await trial.subjects.rowsOf('conversation_id')
    const closed = conversations.find((row) => textAt(row, 'free_text_window_expires_at') === null)
    const [any] = conversations
    const nothing = { name: 'no_such_template_7f3a', language: 'en' }
    const bodies: [words: string, body: object][] = [
      ['a conversation that does not exist', { conversation_id: 'no-such-id-7f3a', text: 'Conformance' }],
      ['a patient who does not exist', { patient_id: 'no-such-id-7f3a', text: 'Conformance' }],
      ...(any
        ? [['a template that does not exist', { conversation_id: idOf(any), template: nothing }] as [string, object]]
        : []),
      ...(closed
        ? [
            [
              'free text in a closed window, with no template allowed',
              { conversation_id: idOf(closed), text: 'Conformance', allow_template: false },
            ] as [string, object],
          ]
        : []),
    ]
    for (const [words, body] of bodies) {
      const question: Question = { body }
      const outcome = await trial.clinic.ask(operation, question)
      trial
        .saw(OPERATION, words, statusInWords(outcome))
        .expect('the problem unprocessable', isRefused(outcome, 'unprocessable'))
    }
  },
}

export const chatRules: readonly Rule[] = [queued, refused]
