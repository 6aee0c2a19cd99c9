// Dataset `chat`: messages, and whether they arrived.
import { messageDirections, messageStatuses, messageTypes } from '../../resources/chat.ts'
import { dataset } from '../dataset.ts'
import { column, time } from '../dimensions.ts'
import { dates, strings } from '../filters.ts'
import { count, distinct, ratio } from '../measures.ts'

export const chat = dataset({
  name: 'chat',
  description: 'Chat messages by the day on which they were made.',
  requires_scope: 'chat:read',
  requires_date_range: true,
  date_filter: 'created_date',
  cap: 2000,
  measures: {
    message_count: count('Messages.'),
    inbound_count: count('Messages from patients.'),
    outbound_count: count('Messages to patients.'),
    delivered_count: count('Messages that reached the handset, read ones too.'),
    read_count: count('Messages that were opened.'),
    failed_count: count('Messages that failed.'),
    conversation_count: distinct('Conversations that have a message.'),
    delivery_rate: ratio('The share of delivered messages among outbound messages that are no longer queued.'),
    read_rate: ratio('The share of read messages among outbound messages that are no longer queued.'),
  },
  dimensions: {
    direction: column('Inbound is from the patient.'),
    type: column('The kind of message.'),
    status: column('How far it got.'),
    template: column('The template used, by its name.'),
    hour_of_day: column('The local hour at which it was made, 0 to 23.'),
    created_date: time('When it was made.'),
  },
  filters: {
    created_date: dates,
    direction: strings(messageDirections),
    type: strings(messageTypes),
    status: strings(messageStatuses),
    template: strings(),
  },
})
