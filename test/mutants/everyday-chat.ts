// Mutants of everyday chat: the second message of a report, two writers of one conversation.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a message that another transaction overtakes is looked for again',
    file: 'packages/changes/src/chat-new-messages.ts',
    from: 'if (stored.length < messages.length) throw',
    to: 'if (stored.length > messages.length) throw',
    caught: {
      by: 'packages/backend/test/ingest-chat.test.ts',
      test: 'a message that another transaction stores meanwhile is answered with that one, and the rest of its batch is stored',
    },
  },
  {
    breaks: 'a message that stands twice in one report is one message',
    file: 'packages/changes/src/chat-messages.ts',
    from: '    known.set(platform_message_id, message.id)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/chat-whatsapp.test.ts',
      test: 'of several messages in one report each is stored once, with its media, whatever becomes of the others’',
    },
  },
  {
    breaks: 'media of a message that stands twice is fetched once',
    file: 'packages/changes/src/store-reports.ts',
    from: ' || fetched.has(platform_message_id)',
    to: '',
    caught: {
      by: 'packages/backend/test/chat-whatsapp.test.ts',
      test: 'of several messages in one report each is stored once, with its media, whatever becomes of the others’',
    },
  },
  {
    breaks: 'a message without media keeps none from the next',
    file: 'packages/changes/src/store-reports.ts',
    from: 'if (content === null) continue',
    to: 'if (content === null) break',
    caught: {
      by: 'packages/backend/test/chat-whatsapp.test.ts',
      test: 'of several messages in one report each is stored once, with its media, whatever becomes of the others’',
    },
  },
  {
    breaks: 'media that fails keeps none from the next message',
    file: 'packages/changes/src/store-reports.ts',
    from: "'the media of a chat message could not be fetched')\n",
    to: "'the media of a chat message could not be fetched')\n      break\n",
    caught: {
      by: 'packages/backend/test/chat-whatsapp.test.ts',
      test: 'of several messages in one report each is stored once, with its media, whatever becomes of the others’',
    },
  },
  {
    breaks: 'the platform’s id of a message holds for the rest of its batch',
    file: 'packages/changes/src/chat-receipts.ts',
    from: '      byPlatformId.set(id, message)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/chat-receipts-model.test.ts',
      test: 'a receipt that names a message by both ids tells the platform’s to the later ones of its batch',
    },
  },
  {
    breaks: 'a message waits for whoever changes its conversation',
    file: 'packages/changes/src/chat-conversations.ts',
    from: 'order by c.patient_phone for update`',
    to: 'order by c.patient_phone`',
    caught: {
      by: 'packages/backend/test/chat-send.test.ts',
      test: 'a message waits for whoever changes its conversation',
    },
  },
  {
    breaks: 'new conversations are made in the order of their phones',
    file: 'packages/changes/src/chat-conversations.ts',
    from: 'const wanted = [...new Set(phones)].sort()',
    to: 'const wanted = [...new Set(phones)]',
    caught: {
      by: 'packages/backend/test/ingest-chat.test.ts',
      test: 'new conversations are made in the order of their phones, so that no two reports wait for each other',
    },
  },
  {
    breaks: 'the log says that outcomes can be stored again when they are',
    file: 'packages/backend/src/sending/chat-sender.ts',
    from: 'this.#again.size > 0 ? [STORED_LATER] : []',
    to: '[]',
    caught: {
      by: 'packages/backend/test/chat-sender.test.ts',
      test: 'the log says that outcomes can be stored again once they are, however well the queue is read before',
    },
  },
]
