// The words of the home page and of alerts, in English.
import type { AlertFacts, AlertRule } from '@clinic-data/console-contract/alert-operations'

const count = new Intl.NumberFormat('en')
const counted = (number: number, one: string, many: string) =>
  number === 1 ? `1 ${one}` : `${count.format(number)} ${many}`

export const home = {
  title: 'Home',
  text: 'The clinic’s integrations at a glance.',
  lately: 'Used lately',
  all: (number: number) => `All integrations (${count.format(number)})`,
  attention: {
    title: 'Needs attention',
    none: 'Nothing. No webhook fails, and nothing runs out within 14 days.',
    failing: (number: number) => counted(number, 'webhook fails', 'webhooks fail'),
    runsOut: {
      key: (time: string) => `The key expires ${time}`,
      connection: (time: string) => `The connection ends ${time}`,
    },
    approvals: 'Approvals',
    waiting: (number: number) => counted(number, 'request waits for you', 'requests wait for you'),
    stopped: (time: string) => `Stopped ${time}`,
  },
  readers: {
    title: 'Who read most today',
    columns: { name: 'Integration', patients: 'People' },
    none: 'Nobody’s data was read today.',
    number: (number: number) => count.format(number),
  },
  fresh: {
    title: 'New since your last visit',
    first: 'This is your first visit.',
    none: (time: string) => `Nothing since ${time}.`,
    kinds: {
      key: 'New key:',
      connection: 'Connected:',
      webhook: 'New webhook:',
      stopped: 'Stopped:',
      disabled_webhook: 'Webhook disabled:',
    },
  },
  begin: {
    title: 'Make your first integration',
    text: 'Partners, apps and agents get to the clinic’s data in these ways.',
    app: {
      title: 'An app or an AI agent',
      text: 'Claude, ChatGPT and others connect in the browser. No key is copied.',
      action: 'Connect an app',
    },
    key: {
      title: 'A partner’s program',
      text: 'You give the partner a key. It opens what you choose, and nothing else.',
      action: 'Make a key',
    },
    webhook: {
      title: 'A program that waits for events',
      text: 'A webhook tells it what happens in the clinic, at the moment it happens.',
      action: 'Make a webhook',
    },
  },
}

type FactsOf<Rule extends AlertRule> = NonNullable<AlertFacts[Rule]>

/** Who did it, apart from the text around it, and when: `today`, or `on 14 Jul 2026`. Days and moments among the facts are as they are read. */
type Reason<Rule extends AlertRule> = (who: string, when: string, facts: FactsOf<Rule>) => string

export const alerts = {
  title: 'Unusual use',
  text: 'What a key or a connected app did otherwise than ever before. Look whether it was meant so: once you have, it counts as usual. Stop is on the page of the integration.',
  none: 'Nothing unusual was noticed.',
  all: 'All alerts',
  more: (number: number) => (number === 1 ? 'and 1 more' : `and ${count.format(number)} more`),
  rules: {
    silence: 'Used again after a long silence',
    new_network: 'From a new network',
    many_patients: 'Many more people than ever',
    patients_in_order: 'People in the order of their ids',
    many_refusals: 'Many refusals',
    ended_key: 'Still tried after it was revoked',
    stopped_partner: 'Still tried after Stop',
  } satisfies Record<AlertRule, string>,
  today: 'today',
  on: (day: string) => `on ${day}`,
  reasons: {
    silence: (who, when, { days, last_day }) =>
      `${who} was used ${when}, after ${counted(days, 'day', 'days')} of silence. Its last use before was on ${last_day}.`,
    new_network: (who, when, { network, known }) =>
      `${who} was used ${when} from ${network}. ${known === 0 ? 'No other network of it is known.' : `Before it came from ${counted(known, 'other network', 'other networks')}, and never from there.`}`,
    many_patients: (who, when, { patients, busiest, busiest_day }) =>
      `${who} read ${counted(patients, 'person', 'people')} ${when}; its busiest day was ${count.format(busiest)}${busiest_day === null ? '' : `, on ${busiest_day}`}.`,
    patients_in_order: (who, when, { patients, longest_before }) =>
      `${who} read ${counted(patients, 'person', 'people')} ${when} one after the other, in the order of their ids; the most before were ${count.format(longest_before)}.`,
    many_refusals: (who, when, { refusals, requests, most, most_day }) =>
      `${count.format(refusals)} of ${counted(requests, 'request', 'requests')} by ${who} were refused ${when}; the most on a day before were ${count.format(most)}${most_day === null ? '' : `, on ${most_day}`}.`,
    ended_key: (who, _, { ended_at, tried_at }) =>
      `${who} was revoked on ${ended_at}, and still tried on ${tried_at}. It was refused.`,
    stopped_partner: (who, _, { ended_at, tried_at }) =>
      `${who} was stopped with its integration on ${ended_at}, and still tried on ${tried_at}. It was refused.`,
  } satisfies { [Rule in AlertRule]: Reason<Rule> },
  state: { unseen: 'New', seen: 'Looked at' },
  key: { key: 'API key', connection: 'Connected app', token: 'Token of the clinic’s systems' },
  integration: 'Integration',
  stop: 'Stop is on its page.',
  older: 'Show older ones',
  day: 'Day',
  noticed: (time: string) => `Noticed ${time}`,
  seen: 'Looked at by',
  see: 'I have looked at it',
  seeOf: (what: string) => `I have looked at it: ${what}`,
  activity: 'What it did that day',
  before: 'What it did before',
  stopped: 'Stopped by this rule',
  undone: 'It can be undone on the page of the integration.',
  stops: {
    title: 'Stop at once',
    text: 'A rule can stop what it calls: all keys, connected apps and webhooks of that integration are refused within seconds, until somebody undoes the stop on its page. The alert and its mail say so. An owner chooses which rules may. The other rules only tell.',
    number: (rules: number) => (rules === 0 ? 'no rule' : counted(rules, 'rule', 'rules')),
    by: (time: string, name: string) => `Since ${time}, chosen by \u2068${name}\u2069`,
    onlyTells: 'It only tells.',
    on: (rule: string) => `Let this rule stop integrations: ${rule}`,
    onText:
      'From now on it stops the integration of each key that it calls. If it calls for something that was meant, the partner works no more until somebody undoes the stop. What somebody has undone is not stopped again for the use of the same day.',
    onSubmit: 'Let it stop',
    off: (rule: string) => `Let this rule only tell: ${rule}`,
    offText: 'What it calls goes on until somebody stops it. What is stopped stays so.',
    offSubmit: 'Let it only tell',
  },
}
