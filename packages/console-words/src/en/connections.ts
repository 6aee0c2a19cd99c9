// The words of the connected apps, in English.
const count = new Intl.NumberFormat('en')

export const connections = {
  title: 'Connected apps',
  text: 'Apps and agents that somebody has allowed to use the clinic’s data, in the browser and without a key.',
  textOfMember:
    'Apps and agents that you have allowed to use the clinic’s data. Those who manage the clinic see them too.',
  empty: 'No app is connected yet',
  emptyText:
    'Add the address of the clinic in an app, such as Claude or ChatGPT. The app then leads you here to allow it.',
  toConnect: 'How to connect an app',
  columns: {
    app: 'App',
    used: 'Last used',
    requests: 'Last 24 hours',
    connected: 'Connected',
    until: 'Ends',
    ended: 'Ended',
    actions: 'Actions',
  },
  by: 'by',
  places: { web: 'for a website', computer: 'on a computer', device: 'by the code of a device' },
  from: 'Connected from',
  stopped: 'Refused while its integration is stopped',
  untilEnded: 'When somebody ends it',
  ended: (number: number) => `Ended (${count.format(number)})`,
  reasons: {
    ended: 'Ended in the console',
    by_app: 'Disconnected by the app',
    reused: 'Ended for safety: a code or token was used twice, so somebody may have copied it',
    app_disabled: 'The operator switched the app off',
    person_disabled: 'Whoever connected it may no longer sign in',
    not_allowed: 'The clinic no longer allowed the app',
    replaced: 'The same person connected the app again',
  },
  rule: {
    title: 'Which apps may be connected',
    text: 'The clinic can be stricter than its operator. The rule holds at once, also for apps that are connected already.',
    rules: {
      any: 'Every app that the operator allows',
      verified: 'Only apps that the operator has verified',
      none: 'No app',
    },
    endsNone: 'No connection ends with it. New ones follow it from now on.',
    ends: (number: number) =>
      `${number === 1 ? '1 connection ends' : `${count.format(number)} connections end`} at once, and the webhooks of these apps. They do not come back with a looser rule: the apps have to be connected again.`,
    submit: 'Set the rule',
  },
  expired: 'Its time was over',
  change: 'Change',
  end: 'End',
  back: 'All connected apps',
  gone: 'There is no such connection.',
  may: 'What it may do',
  lastRead: 'Last read',
  read: (operation: string, number: number, time: string) =>
    `${operation}: ${number === 1 ? '1 record' : `${count.format(number)} records`}, ${time}`,
  limit: 'Limit',
  aMinute: (number: number) => `${count.format(number)} requests a minute`,
  addresses: 'From where, in the last 7 days',
  requests: 'Requests',
  refused: (number: number) => `${number} of them refused for the address`,
  noAddresses: 'It asked for nothing in the last 7 days.',
  activity: 'What it did, in the activity',
  ending: {
    title: (app: string) => `End the connection of ${app}?`,
    text: 'It is refused from then on, also in the middle of its work, and its webhooks end. Whoever wants it back connects it again.',
    used: (used: string) => `It made ${used} in the last 24 hours. They will be refused.`,
    submit: 'End the connection',
  },
  changing: {
    title: (app: string) => `Change ${app}`,
    text: 'Permissions can be taken away here. For more of them, connect the app again. A webhook ends with the permission that it needs.',
    asNow: (end: string) => `As now: ${end}`,
    submit: 'Save',
  },
}
