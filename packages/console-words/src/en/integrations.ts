// The words of the integrations, in English.
const count = new Intl.NumberFormat('en')
const counted = (number: number, one: string, many: string) =>
  number === 1 ? `1 ${one}` : `${count.format(number)} ${many}`
const keys = (number: number) => counted(number, 'key', 'keys')
const apps = (number: number) => counted(number, 'connected app', 'connected apps')
const webhooks = (number: number) => counted(number, 'webhook', 'webhooks')
const all = (...parts: readonly (readonly [number: number, text: (number: number) => string])[]) =>
  parts.flatMap(([number, text]) => (number > 0 ? [text(number)] : []))
const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** The counts of Stop, or of its undoing. */
interface StopDone {
  keys: number
  connections: number
  webhooks: number
  waiting: number
  expired: number
}

export const integrations = {
  title: 'Integrations',
  text: 'One for each partner: its keys, its connected apps and its webhooks. It can be stopped as one.',
  add: 'New integration',
  empty: 'No integrations yet',
  emptyText: 'A partner gets one with its first key, connected app or webhook.',
  back: 'All integrations',
  gone: 'There is no such integration.',
  find: 'Find by name',
  /** Before the name of an integration. */
  partOf: 'Integration:',
  columns: {
    name: 'Integration',
    state: 'State',
    used: 'Last used',
    patients: 'People read today',
    webhooks: 'Webhooks',
    holds: 'Keys and apps',
  },
  never: 'never',
  none: 'none',
  number: (number: number) => count.format(number),
  holds: (key_count: number, connection_count: number) =>
    list.format(all([key_count, keys], [connection_count, apps])) || 'none',
  webhooksOf: (number: number, failing: number) =>
    failing === 0 ? webhooks(number) : `${webhooks(number)}, ${count.format(failing)} failing`,
  state: {
    active: 'Active',
    failing: 'A webhook fails',
    stopped: 'Stopped',
    unused: 'Not used yet',
    ended: 'Nothing works any more',
  },
  stopped: (time: string) => `Stopped ${time}`,
  stoppedBy: (time: string, by: string) => `Stopped ${time} by ${by}`,
  stoppedByRule: (time: string) => `Stopped ${time} by a rule of the watch`,
  itsAlert: 'What it called',
  stoppedText: 'Its keys and connected apps are refused. Its webhooks send nothing.',
  contact: 'Whom to call',
  noContact: 'Nobody is named yet.',
  notes: 'Notes',
  since: 'Here since',
  change: 'Change',
  stop: 'Stop',
  resume: 'Undo the stop',
  more: 'More',
  may: {
    title: 'What it may do',
    text: 'All of its keys, connected apps and webhooks together.',
    whileStopped: 'Nothing while it is stopped. This is what it may do when the stop is undone.',
    columns: { resource: 'Data', access: 'It may' },
    none: 'Nothing',
    read: 'Read',
    write: 'Change',
    writes: {
      payments: 'Record new ones',
      leads: 'Add new ones',
      chat: 'Send messages',
      webhooks: 'Make, change and read',
    } as Record<string, string>,
    /** It changes what it may not read. */
    only: (changes: string) => `${changes}, without reading`,
    sent: 'Get whole records by webhook',
    maySubscribe: 'Make a webhook, and get whole records by it',
    leadFigures: 'With “Figures” it also sees how many leads there are.',
  },
  resources: {
    patients: 'Patients',
    appointments: 'Appointments',
    availability: 'Free appointment slots',
    treatments: 'Treatments',
    payments: 'Payments',
    leads: 'Leads',
    calls: 'Calls',
    chat: 'Chat',
    catalog: 'Lists of the clinic',
    analytics: 'Figures',
    webhooks: 'Webhooks',
  } as Record<string, string>,
  did: {
    title: 'What it did',
    figure: 'Figure',
    today: 'Today',
    month: '30 days',
    figures: {
      patients_read: 'People read',
      requests: 'Requests',
      changes: 'Changes',
      refusals: 'Requests refused',
      delivered: 'Deliveries that arrived',
      failed_attempts: 'Failed attempts to deliver',
    },
    busiest: 'Busiest minute',
    ofLimit: (most: number, limit: number) => `${count.format(most)} of ${count.format(limit)} allowed`,
    activity: 'Everything it did, in the activity',
  },
  ways: {
    title: 'Keys and connected apps',
    none: 'It has no key and no connected app.',
    columns: { name: 'Name', kind: 'Kind', used: 'Last used', until: 'Until', limit: 'Limit', actions: 'Actions' },
    key: 'Key',
    app: 'Connected app',
    newKey: 'New key',
    untilEnded: 'Somebody ends it',
    usualLimit: 'The usual one',
    stopped: 'Stopped',
    aMinute: (number: number) => `${count.format(number)} a minute`,
    ended: (number: number) => `Ended (${count.format(number)})`,
  },
  hooks: {
    title: 'Webhooks',
    none: 'It has no webhook.',
    stopped: 'Nothing is sent while the integration is stopped.',
    only: 'Only these events are sent:',
    failures: 'What failed, and why',
    deliveries: 'All deliveries',
  },
  making: {
    stopped: 'This integration is stopped. Undo that first.',
    title: 'New integration',
    text: 'Its first key is made here. More keys and webhooks can follow.',
    appText: 'An app that connects in the browser needs no key:',
    toConnect: 'connect an app',
    nameHint: 'The partner, for example CRM or Website agency',
  },
  changing: {
    title: (name: string) => `Change ${name}`,
    name: 'Name',
    contact: 'Whom to call',
    contactHint: 'A name, a phone, an e-mail address',
    notes: 'Notes',
    notesHint: 'What it is for, what was agreed',
    submit: 'Save',
  },
  stopping: {
    title: (name: string) => `Stop ${name}?`,
    text: 'From now on, also in the middle of its work:',
    parts: (key_count: number, connection_count: number, webhook_count: number) => [
      ...(key_count + connection_count > 0
        ? [`${list.format(all([key_count, keys], [connection_count, apps]))} refused`]
        : []),
      ...(webhook_count > 0 ? [`nothing sent to ${webhooks(webhook_count)}`] : []),
    ],
    nothing: 'It has nothing that works now, and stays so until the stop is undone.',
    undone: 'One click undoes the stop.',
    submit: 'Stop it now',
  },
  done: {
    stopped: ({ keys: key_count, connections, webhooks: webhook_count, waiting }: StopDone) =>
      [
        `Refused: ${list.format(all([key_count, keys], [connections, apps])) || 'nothing'}.`,
        `Paused: ${webhook_count === 0 ? 'nothing' : webhooks(webhook_count)}.`,
        ...(waiting > 0 ? [`${counted(waiting, 'delivery waits', 'deliveries wait')} until the stop is undone.`] : []),
      ].join(' '),
    resumed: ({ keys: key_count, connections, webhooks: webhook_count, waiting, expired }: StopDone) =>
      [
        'It works again as before the stop.',
        `Accepted again: ${list.format(all([key_count, keys], [connections, apps], [webhook_count, webhooks])) || 'nothing'}.`,
        ...(waiting > 0
          ? [`${counted(waiting, 'delivery that waited goes on', 'deliveries that waited go on')}.`]
          : []),
        ...(expired > 0
          ? [
              `${counted(expired, 'delivery', 'deliveries')} ran out of time meanwhile, and can be sent again from the page of the webhook.`,
            ]
          : []),
      ].join(' '),
  },
  moving: {
    action: 'Move to another integration',
    title: (what: string) => `Move ${what}`,
    text: 'It belongs to the chosen integration from then on, and is stopped with it. What it may do stays the same.',
    to: 'To which integration?',
    own: 'A new one',
    newName: 'Name of the new integration',
    submit: 'Move',
    chooseOne: 'Choose an integration.',
    stopped: 'One of the two is stopped. Undo the stop first.',
  },
  joining: {
    action: 'Merge with another integration',
    title: (name: string) => `Merge another integration into ${name}`,
    text: 'All keys, connected apps and webhooks of the other one move here, and what is noted about it. What they may do stays the same.',
    stopped: 'One of the two is stopped. Afterwards all of both is stopped, until you undo that.',
    which: 'Which one?',
    choose: 'Choose one',
    submit: 'Merge',
    twins: (name: string) => `More than one integration is called ${name}`,
    twinsText: 'Stop stops all of them. Merge them to keep them as one, or give one another name.',
  },
}
