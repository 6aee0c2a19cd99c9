// The words of the home page, in English.
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
    columns: { name: 'Integration', patients: 'Patients' },
    none: 'Nobody has read a patient today.',
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
