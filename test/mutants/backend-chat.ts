// Mutants of the backend: conversations, messages, receipts and their sender.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the window is open for at most a day from now',
    file: 'packages/changes/src/chat-conversations.ts',
    from: 'Math.min(Date.parse(inbound_at), now.getTime()) + WINDOW_MS',
    to: 'Date.parse(inbound_at) + WINDOW_MS',
    caught: {
      by: 'packages/backend/test/ingest-chat.test.ts',
      test: 'the window is open for at most a day from now, however a message is dated',
    },
  },
  {
    breaks: 'a late message does not set its conversation back',
    file: 'packages/changes/src/chat-conversations.ts',
    from: 'last_message_preview = case when input.at < stored.last_activity_at then stored.last_message_preview else input.text end',
    to: 'last_message_preview = input.text',
    caught: {
      by: 'packages/backend/test/ingest-chat.test.ts',
      test: 'a late message is stored, does not set its conversation back, and leaves it handled',
    },
  },
  {
    breaks: 'a late message does not close the window',
    file: 'packages/changes/src/chat-conversations.ts',
    from: 'greatest(stored.free_text_window_expires_at, input.expires_at)',
    to: 'coalesce(input.expires_at, stored.free_text_window_expires_at)',
    caught: {
      by: 'packages/backend/test/ingest-chat.test.ts',
      test: 'a late message is stored, does not set its conversation back, and leaves it handled',
    },
  },
  {
    breaks: 'a handled conversation is not handled any more when the patient writes',
    file: 'packages/changes/src/chat-conversations.ts',
    from: 'stored.is_handled and (input.inbound_at is null or input.inbound_at < stored.last_activity_at) is true',
    to: 'stored.is_handled',
    caught: {
      by: 'packages/backend/test/ingest-chat.test.ts',
      test: 'a late message is stored, does not set its conversation back, and leaves it handled',
    },
  },
  {
    breaks: 'a late message leaves its conversation handled',
    file: 'packages/changes/src/chat-conversations.ts',
    from: '(input.inbound_at is null or input.inbound_at < stored.last_activity_at) is true',
    to: 'input.inbound_at is null',
    caught: {
      by: 'packages/backend/test/ingest-chat.test.ts',
      test: 'a late message is stored, does not set its conversation back, and leaves it handled',
    },
  },
  {
    breaks: 'free text is free until the instant when the window closes, not at it',
    file: 'packages/changes/src/chat-conversations.ts',
    from: 'c.free_text_window_expires_at > ${now}, false) as',
    to: 'c.free_text_window_expires_at >= ${now}, false) as',
    caught: {
      by: 'packages/backend/test/chat-send.test.ts',
      test: 'free text is free until the instant when the window closes, and wrapped afterwards',
    },
  },
  {
    breaks: 'a template that is not approved is not sent',
    file: 'packages/backend/src/operations/chat/chat-content.ts',
    from: "if (template.status !== 'approved') {",
    to: "if (template.status === 'rejected') {",
    caught: { by: 'packages/backend/test/chat-send.test.ts', test: 'a refusal names its field and stores nothing' },
  },
  {
    breaks: 'a template gets no variable that it does not have',
    file: 'packages/backend/src/operations/chat/chat-content.ts',
    from: 'if (findings.length > 0) throw refusal(...findings)',
    to: "if (findings.some(({ code }) => code !== 'unknown')) throw refusal(...findings)",
    caught: { by: 'packages/backend/test/chat-send.test.ts', test: 'a refusal names its field and stores nothing' },
  },
  {
    breaks: 'a blank text is refused',
    file: 'packages/backend/src/operations/chat/chat-content.ts',
    from: "if (text.trim() === '') throw",
    to: "if (text === '') throw",
    caught: { by: 'packages/backend/test/chat-send.test.ts', test: 'a refusal names its field and stores nothing' },
  },
  {
    breaks: 'free text outside of the window is not wrapped against the sender’s will',
    file: 'packages/backend/src/operations/chat/chat-send.ts',
    from: 'if (body.allow_template === false) {',
    to: 'if (body.allow_template === null) {',
    caught: { by: 'packages/backend/test/chat-send.test.ts', test: 'a refusal names its field and stores nothing' },
  },
  {
    breaks: 'a message waits for an earlier one of its conversation',
    file: 'packages/backend/src/sending/send-queue.ts',
    from: "e.position < s.position and e.state in ('waiting', 'sending'))",
    to: "e.position < s.position and e.state = 'sending')",
    caught: {
      by: 'packages/backend/test/chat-sender-order.test.ts',
      test: 'the messages of one conversation go out one after the other, in their order',
    },
  },
  {
    breaks: 'several senders take each message once',
    file: 'packages/backend/src/sending/send-queue.ts',
    from: 'order by s.due_at limit ${most} for update of s skip locked`',
    to: 'order by s.due_at limit ${most}`',
    caught: { by: 'packages/backend/test/chat-sender-order.test.ts', test: 'several senders take each message once' },
  },
  {
    breaks: 'no chat message waits for a clock that was ahead',
    file: 'packages/backend/src/sending/chat-sender.ts',
    from: 'if (this.#futureLooks.isDue(now))',
    to: 'if (now.getTime() < 0)',
    caught: {
      by: 'packages/backend/test/chat-sender-clock.test.ts',
      test: 'a retry that was planned while the clock was ahead keeps its pause from the correction on',
    },
  },
  {
    breaks: 'a message that was taken by a clock ahead is not sent twice',
    file: 'packages/backend/src/sending/send-queue.ts',
    from: "when state = 'sending' then ${later(LONGEST_SEND_MS)} ",
    to: '',
    caught: {
      by: 'packages/backend/test/chat-sender-clock.test.ts',
      test: 'a message that a sender with its clock ahead took and never settled is unknown after a minute, and is not sent again',
    },
  },
  {
    breaks: 'the console counts a message that a killed sender had handed over',
    file: 'packages/administration/src/pages/chat-sending.ts',
    from: "['unknown', 'sending']",
    to: "['unknown']",
    caught: {
      by: 'packages/administration/test/chat-sending.test.ts',
      test: 'a message that a killed sender handed over has no answer, then failed unknown, for seven days, since it was accepted',
    },
  },
  {
    breaks: 'a message of which a receipt came after all is counted as unknown no more',
    file: 'packages/administration/src/pages/chat-sending.ts',
    from: 'and sent_at is null and delivered_at is null ',
    to: '',
    caught: {
      by: 'packages/administration/test/chat-sending.test.ts',
      test: 'a receipt that comes after all ends the question, and other failures are none',
    },
  },
  {
    breaks: 'the console reads a thousand messages of a queue at most',
    file: 'packages/administration/src/pages/chat-sending.ts',
    from: 'order by state, due_at limit ${COUNTED_MESSAGES}',
    to: 'order by state, due_at',
    caught: {
      by: 'packages/administration/test/chat-sending.test.ts',
      test: 'however many messages there are, a thousand of each kind are counted, and few others are read',
    },
  },
  {
    breaks: 'clinics whose platforms hang leave places to the messages of others',
    file: 'packages/backend/src/sending/chat-sender.ts',
    from: 'roomOf(AT_ONCE, { clinic: this.#sending.get(clinic_id) ?? 0, process: this.#inFlight })',
    to: 'Math.min(AT_ONCE.clinic - (this.#sending.get(clinic_id) ?? 0), AT_ONCE.process - this.#inFlight)',
    caught: {
      by: 'packages/backend/test/chat-sender-order.test.ts',
      test: 'clinics whose platforms hang leave the messages of other clinics places',
    },
  },
]
