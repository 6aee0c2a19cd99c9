// The words of the keys, minting, rotating and revoking them, in English.
import type { Scope } from '@clinic-data/contract/scopes'

const count = new Intl.NumberFormat('en')
const requests = (number: number) => (number === 1 ? '1 request' : `${count.format(number)} requests`)

export const keys = {
  title: 'API keys',
  text: "A key lets one integration read or change the clinic's data, within its permissions.",
  mint: 'New key',
  refresh: 'Refresh',
  asOf: (time: string) => `As of ${time}`,
  empty: 'No keys yet',
  emptyText: 'Make one for each integration, so that each can be revoked on its own.',
  columns: {
    name: 'Name',
    key: 'Key',
    used: 'Last used',
    requests: 'Last 24 hours',
    made: 'Made',
    actions: 'Actions',
  },
  never: 'never',
  requests,
  operator: 'the operator',
  madeBy: (time: string, by: string) => `${time}, by ${by}`,
  expires: (time: string) => `Expires ${time}`,
  beyond: (days: number) => `Lasts longer than the ${days} days that the clinic allows now`,
  state: { revoked: 'Revoked', expired: 'Expired', replaced: 'Being replaced', stopped: 'Stopped' },
  ended: (number: number) => `Revoked and expired (${count.format(number)})`,
  permissions: (number: number) => (number === 1 ? '1 permission' : `${number} permissions`),
  actionsOf: (name: string) => `Actions for ${name}`,
  rotate: 'Rotate',
  revoke: 'Revoke',
  rotating: (name: string) => `${name} has a newer key`,
  stillUsed: (used: string) =>
    `The old key made ${used} in the last 24 hours. Put the new one into the integration first.`,
  unused: 'The old key was not used in the last 24 hours. It can be revoked.',
  revokeOld: 'Revoke the old key',
}

export const mint = {
  title: 'New key',
  rotateTitle: (name: string) => `Rotate ${name}`,
  rotateText:
    'A second key is made beside the old one, with the same permissions. The old one works until you revoke it.',
  name: 'Name',
  nameHint: 'What the key is for, for example Website form',
  presets: 'What may it do?',
  preset: {
    bi: ['Reads for BI', 'Reads everything but leads, and changes nothing.'],
    leads: ['Lead capture', 'Creates leads and sees nothing.'],
    agent: ['Agent', 'Answers questions about calendar, patients and figures.'],
    own: ['Your own choice', 'Choose each permission below.'],
  } as Record<'bi' | 'leads' | 'agent' | 'own', readonly [name: string, text: string]>,
  scopes: 'Permissions',
  expiry: 'Expires',
  expiries: { never: 'Never', days: (days: number) => (days === 365 ? 'In a year' : `In ${days} days`) },
  rate: 'Requests per minute',
  rateHint: 'Empty: the usual limit',
  submit: 'Make the key',
  already: 'This key was made, but the connection broke before it was shown. Revoke it in the list, and make another.',
}

export const shown = {
  title: 'Copy the key now',
  text: 'It is shown only now. Nobody can show it again, not even we.',
  key: 'The key',
  curl: 'Try it in a terminal',
  sc: 'Or store it for the command line',
  afterRotation: 'Now put it into the integration. Revoke the old key when its requests have fallen to zero.',
  done: 'I have copied the key',
}

export const revoke = {
  title: (name: string) => `Revoke ${name}?`,
  text: 'It is refused from then on. This cannot be undone.',
  used: (used: string) => `It made ${used} in the last 24 hours. They will be refused.`,
  submit: 'Revoke the key',
  webhooks: {
    goOn: (number: number) =>
      number === 1 ? 'A webhook that it made goes on sending to:' : `${number} webhooks that it made go on sending to:`,
    fate: 'When the key is revoked',
    keep: 'Let them go on',
    stop: 'Stop them',
    remove: 'Delete them',
  },
}

export const scopes: Record<Scope, string> = {
  'patients:read': 'Read and search patients.',
  'appointments:read': 'Read appointments.',
  'availability:read': 'See free appointment slots.',
  'treatments:read': 'Read recorded treatments.',
  'payments:read': 'Read payments and refunds.',
  'payments:write': 'Record payments and issue their accounting documents.',
  'leads:write': 'Create leads. A submission that matches an open lead shows it.',
  'leads:read': 'List and read leads: their names, phones, emails and what they asked for.',
  'calls:read': 'Read the call log, summaries, transcripts and recordings.',
  'chat:read': 'Read chat conversations, their messages and files.',
  'chat:write': 'Send chat messages to patients.',
  'catalog:read': 'Read branches, appointment types, treatments, providers and other lists.',
  'analytics:read': 'Ask for figures: counts, sums and averages.',
  'webhooks:manage': 'Manage webhooks. Their events carry whole patients, appointments and payments.',
}
