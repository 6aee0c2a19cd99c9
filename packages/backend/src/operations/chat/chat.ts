// Chat: conversations, messages and templates together.

import type { HandlerParts } from '../../handling/handled.ts'
import { chatConversationHandlers } from './chat-conversations.ts'
import { chatMessageHandlers } from './chat-messages.ts'
import { chatSendHandlers } from './chat-send.ts'
import { chatTemplateHandlers } from './chat-templates.ts'

export function chatHandlers(parts: HandlerParts) {
  return {
    ...chatConversationHandlers(parts),
    ...chatMessageHandlers(parts),
    ...chatSendHandlers(parts),
    ...chatTemplateHandlers(parts),
  }
}
