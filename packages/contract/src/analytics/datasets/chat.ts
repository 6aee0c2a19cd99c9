// Dataset `chat`: messages, and whether they arrived.
import { messageDirections, messageStatuses, messageTypes } from '../../resources/chat.ts'
import { dataset } from '../dataset.ts'

export const chat = dataset({
  name: 'chat',
  description: 'Chat messages by the day on which they were made.',
  requires_scope: 'chat:read',
  requires_date_range: true,
  date_filter: 'created_date',
  cap: 2000,
  measures: {
    message_count: { kind: 'count', unit: 'count', description: 'Messages.' },
    inbound_count: { kind: 'count', unit: 'count', description: 'Messages from patients.' },
    outbound_count: { kind: 'count', unit: 'count', description: 'Messages to patients.' },
    delivered_count: { kind: 'count', unit: 'count', description: 'Messages that reached the handset, read ones too.' },
    read_count: { kind: 'count', unit: 'count', description: 'Messages that were opened.' },
    failed_count: { kind: 'count', unit: 'count', description: 'Messages that failed.' },
    conversation_count: { kind: 'count_distinct', unit: 'count', description: 'Conversations that have a message.' },
    delivery_rate: {
      kind: 'ratio',
      unit: 'percent',
      description: 'Delivered messages of the outbound ones that are no longer queued.',
    },
    read_rate: {
      kind: 'ratio',
      unit: 'percent',
      description: 'Read messages of the outbound ones that are no longer queued.',
    },
  },
  dimensions: {
    direction: { kind: 'column', description: 'Inbound is from the patient.' },
    type: { kind: 'column', description: 'What the message is.' },
    status: { kind: 'column', description: 'How far it has come.' },
    template: { kind: 'column', description: 'The template used, by its name.' },
    hour_of_day: { kind: 'column', description: 'The local hour at which it was made, 0 to 23.' },
    created_date: { kind: 'time', description: 'When it was made.' },
  },
  filters: {
    created_date: { type: 'date' },
    direction: { type: 'string_list', values: messageDirections },
    type: { type: 'string_list', values: messageTypes },
    status: { type: 'string_list', values: messageStatuses },
    template: { type: 'string_list' },
  },
})
