// The help texts of the words that begin several commands.

export const groups: Readonly<Record<string, string>> = {
  patients: 'Patients and their records',
  'patients appointments': "A patient's appointments",
  'patients calls': "A patient's calls",
  'patients chat-messages': "A patient's chat messages",
  appointments: 'Appointments',
  treatments: 'Recorded treatments',
  payments: 'Payments and refunds',
  catalog: 'Reference data: branches, types, statuses, treatments, providers, billing accounts',
  leads: 'Leads',
  calls: 'Phone calls',
  'calls recording': 'The recording of a call',
  chat: 'Chat conversations, messages, templates',
  'chat conversations': 'Conversations and their messages',
  'chat conversations messages': 'The messages of a conversation',
  'chat messages': 'Chat messages',
  'chat messages media': 'The media of a message',
  'chat templates': 'Approved message templates',
  events: 'The event feed',
  webhooks: 'Webhook subscriptions and their deliveries',
}
