// The words of the clinic's people and of an invitation, in English.
export const people = {
  title: 'People',
  text: 'Who may open this console, and what each of them may do.',
  invite: 'Invite',
  columns: {
    person: 'Person',
    role: 'Role',
    seen: 'Last active',
    ways: 'Signs in by',
    invitedBy: 'Invited by',
    until: 'Open until',
    actions: 'Actions',
  },
  since: (time: string) => `Since ${time}`,
  byGroup: 'by group',
  noLongerByGroup: 'no longer by group',
  noRole: 'None',
  you: 'you',
  never: 'never',
  disabled: 'Disabled',
  ways: {
    password: 'password',
    passkey: 'passkey',
    provider: 'identity provider',
    pairings: (number: number) => (number === 1 ? 'another clinic' : `${number} other clinics`),
    pairedSince: (time: string) => `Another clinic since ${time}`,
    none: 'a link only',
  },
  apps: (number: number) =>
    number === 1
      ? 'One app that this person connected loses its access.'
      : `${number} apps that this person connected lose their access.`,
  yourself: 'This is your own account: you are signed out at once.',
  alone: 'Only you have access so far. Invite colleagues, each with the role of the work.',
  actionsOf: (name: string) => `Actions for ${name}`,
  changeRole: 'Change the role',
  sessions: 'Sessions',
  endPairings: 'Close the way from other clinics',
  disable: 'Disable',
  remove: 'Remove',
  roles: 'What each role may do',
  lastOwner: 'A clinic always has an owner, and this is the last one. Make somebody else an owner first.',
  invitations: {
    title: 'Open invitations',
    withdraw: 'Withdraw',
    withdrawOf: (name: string) => `Withdraw the invitation of ${name}`,
  },
  inviting: {
    title: 'Invite somebody',
    name: 'Name',
    email: 'E-mail',
    emailHint: 'The invitation is for this address alone.',
    role: 'Role',
    submit: 'Make the invitation',
    again: 'An earlier invitation for the same address no longer works then.',
    taken: 'Somebody with this e-mail has access already. Change the role in the list instead.',
  },
  made: {
    title: 'Invitation made',
    mail: {
      sent: (email: string) =>
        `The link was sent to ${email}. You can also hand it over yourself: it is shown only now.`,
      failed: (email: string) =>
        `The mail to ${email} could not be sent. Hand the link over yourself: it is shown only now.`,
      off: (email: string) => `Send this link to ${email} yourself. It is shown only now.`,
    },
    link: 'The link',
    rules: (time: string) => `It works once, until ${time}. Whoever opens it must type that address.`,
    done: 'Done',
  },
  role: {
    title: (name: string) => `The role of ${name}`,
    text: 'It holds at once, also where the person is signed in. Connected apps that the new role could not have connected lose their access.',
    submit: 'Save the role',
    disabled: 'This person was disabled meanwhile. Invite the person anew, in the role that you want.',
    noGroup: 'No group gives this person a role any more. A role by hand lets the person in again.',
    byGroup: (group: string, provider: string) =>
      `The group \u2068${group}\u2069 gives this role. A role by hand holds until the next sign-in by ${provider}, while the group still gives one.`,
  },
  disabling: {
    title: (name: string) => `Disable ${name}?`,
    text: 'The person is signed out everywhere and cannot sign in any more. The name stays in this list. Whoever is to come back is invited anew.',
    submit: 'Disable',
  },
  endingPairings: {
    title: (name: string) => `Close the way from other clinics for ${name}?`,
    text: 'A sign-in to another clinic no longer opens this one for the person, from now on. The person keeps the account here and signs in to it.',
    submit: 'Close it',
  },
  endApps: 'End connected apps',
  endingApps: {
    title: (name: string) => `End the connected apps of ${name}?`,
    text: 'These apps lose their access at once. The person stays, and can connect apps again.',
    submit: 'End them',
  },
  groupApps: {
    title: 'Apps of people with a role by group',
    text: 'We ask about a group only when somebody uses the console. Whoever left the group and does not come back keeps connected apps. End the apps here.',
    seen: (time: string) => `Last active ${time}.`,
    never: 'Never signed in.',
    apps: (number: number) => (number === 1 ? 'One connected app.' : `${number} connected apps.`),
    end: 'End the apps',
    endOf: (name: string) => `End the apps of ${name}`,
  },
  removing: {
    title: (name: string) => `Remove ${name}?`,
    text: 'The person is signed out everywhere, cannot sign in any more, and leaves this list. The activity keeps the name.',
    submit: 'Remove',
  },
  withdrawing: {
    title: (name: string) => `Withdraw the invitation of ${name}?`,
    text: 'Its link no longer works then.',
    submit: 'Withdraw',
    late: 'This invitation was accepted meanwhile. Disable or remove the person instead.',
  },
  sessionsOf: {
    title: (name: string) => `Where ${name} is signed in`,
    none: 'Nowhere at the moment.',
    this: 'this browser',
    ways: { link: 'by a link', passkey: 'by a passkey' },
    from: (clinic: string) => `by the sign-in to ${clinic}`,
    seen: (time: string) => `last used ${time}`,
    unknown: 'Unknown browser',
    all: 'End all sessions',
    end: 'End',
    endOf: (browser: string) => `End the session in ${browser}`,
  },
}

export const invitation = {
  title: 'Invitation',
  text: 'You are invited to a clinic’s console.',
  looking: 'Looking at the invitation…',
  hello: 'For',
  by: (name: string) => `\u2068${name}\u2069 invites you to the console of`,
  asRole: 'Your role:',
  email: 'Your e-mail',
  emailHint: 'The address that the invitation was sent to',
  otherAddress: 'The invitation is for another address.',
  accept: 'Accept',
  next: 'Then you choose how you will sign in from now on.',
  notMine: 'Is this not you? Then close the page: the invitation stays unused.',
  made: 'Your account is ready. Sign in with it now.',
  taken: 'This e-mail has an account in the clinic already. Sign in as usual.',
  other: (email: string) => `In this browser ${email} is signed in. Accepting signs that account out here.`,
  toSignIn: 'To the sign-in',
  refused: {
    used: 'This invitation was accepted already. Sign in as usual.',
    withdrawn: 'This invitation was withdrawn. Ask whoever invited you.',
    expired: 'This invitation has expired: it works for three days. Ask for a new one.',
    unknown: 'There is no such invitation. Check that the link is whole.',
  },
}

export const memberScopes = {
  title: 'What members may give to their apps',
  text: 'Whoever has the role Member connects apps with these permissions at most. Connections that exist stay as they are.',
  change: 'What members may give',
  none: 'Without a permission, members cannot connect apps.',
  submit: 'Save',
}

export const signInRule = {
  title: 'How everybody must sign in',
  text: 'Whoever signs in another way sees nothing of the clinic. Keys and connected apps are not touched.',
  demands: {
    any: 'In any way',
    passkey: 'By a passkey',
    provider: (provider: string) => `By ${provider}`,
  },
  provider: 'the identity provider',
  notMet: 'To demand a way of signing in, sign in that way yourself first.',
  without: (number: number) =>
    number === 1 ? 'One person has no passkey yet.' : `${number} people have no passkey yet.`,
  unbound: (number: number, provider: string) =>
    number === 1
      ? `One person has not signed in by ${provider} yet.`
      : `${number} people have not signed in by ${provider} yet.`,
  loosens: 'From now on people sign in in any way that they have.',
  holds: {
    passkey:
      'It holds at once, also for sessions that have begun. Whoever has no passkey adds one at the next sign-in.',
    provider: 'It holds at once, also for sessions that have begun. Passwords and passkeys open nothing then.',
  },
  submit: 'Demand it',
  loosen: 'Allow any way',
}

export const groupRoles = {
  title: 'Roles by group',
  text: (provider: string) =>
    `Whoever has access here and is in one of these groups at ${provider} gets its role at the next sign-in by it, instead of a role given by hand. From then on the person signs in by ${provider} alone, and is signed out within a minute after leaving the group. Owners stay owners.`,
  none: 'No group gives a role yet.',
  several: (roles: string) => `Whoever is in several groups has the first of these roles: ${roles}.`,
  people: (number: number) =>
    number === 0
      ? 'Nobody has the role by it now.'
      : number === 1
        ? 'One person has the role by it.'
        : `${number} people have the role by it.`,
  since: (time: string) => `It has given this role since ${time}.`,
  roleOf: (group: string) => `Role by the group ${group}`,
  remove: 'Remove',
  removeOf: (group: string) => `Remove the group ${group}`,
  group: 'Group',
  groupHint: (provider: string) => `The name exactly as ${provider} writes it`,
  role: 'Role',
  submit: 'Add the group',
  known: 'This group is in the list already.',
  full: (most: number) => `At most ${most} groups give roles in a clinic. Remove one first.`,
  notOffered: (provider: string) =>
    `${provider} is not asked for groups any more: the operator of the service sets that. Until then nobody whose role comes from a group can sign in.`,
  conflict: (provider: string) =>
    `The clinic demands a passkey of everybody, and whoever has a role by group signs in by ${provider} alone. Change that demand first.`,
  changing: {
    title: (role: string) => `Change the group’s role to ${role}?`,
    text: 'It holds at once for whoever has a role by this group. Connected apps that the new role could not have connected lose their access.',
    submit: 'Save the role',
  },
  removing: {
    title: 'Remove the group?',
    text: 'Whoever has the role by it is signed out at once, and the apps that they connected lose their access. They can sign in again when another group gives them a role, or you give them one by hand.',
    submit: 'Remove the group',
  },
}

export const held = {
  title: 'One more step',
  passkey: {
    has: 'Your clinic lets people in by a passkey alone. Sign in with yours.',
    none: 'Your clinic lets people in by a passkey alone. Add one now, and sign in with it from then on.',
    unable:
      'This browser, or this address, has no passkeys. Open the console at its https address, in another browser or on another device.',
    lost: 'Is your passkey lost? The operator of the service makes you a link.',
  },
  provider: (provider: string) => `Your clinic lets people in by ${provider} alone. Sign in by it.`,
  noProvider:
    'Your clinic lets people in by an identity provider alone, and there is none. Ask the operator of the service.',
  notYours: 'Is this the wrong account?',
}

export const weeklyMail = {
  title: 'Weekly mail',
  text: (email: string) =>
    `On Monday morning, to ${email}: which integrations there are, what is new, what fails, who read most, and what runs out within 14 days. No patient’s data is in it.`,
  language: 'Language of the mail',
  languages: { none: 'No mail', en: 'English', he: 'Hebrew' },
  next: (time: string) => `The next one comes ${time}.`,
  sent: (time: string) => `The latest one was sent ${time}.`,
  failed: (time: string) => `The latest one could not be sent (${time}). Ask the operator of the service.`,
}

export const pairings = {
  title: 'Your other clinics',
  text: 'If you work in several clinics, you can open them with one sign-in. You sign in to each of them once, here in this browser.',
  none: 'You have added no other clinic yet.',
  add: 'Add a clinic',
  change: 'Change the clinic',
  signInThere: 'Sign in there',
  end: 'End',
  endOf: (clinic: string) => `End the one sign-in for ${clinic}`,
  ending: {
    title: (clinic: string) => `End the one sign-in for ${clinic}?`,
    text: (here: string, there: string) =>
      `A sign-in to ${here} no longer opens ${there}, nor the other way round. Both accounts stay.`,
    submit: 'End it',
  },
  offered: {
    title: (there: string, here: string) => `One sign-in for ${there} and ${here}?`,
    text: (email: string, there: string, here: string) =>
      `From then on, whoever signs in to ${there} as ${email} also opens ${here} as you, and the other way round.`,
    proof: 'What gives somebody access still asks for the password or the passkey of the clinic itself.',
    onlyYours: 'Agree only if both accounts are yours.',
    submit: 'Agree',
    refuse: 'Not now',
    late: 'The time for it is over, or you have signed out there. Begin again in the other clinic.',
    done: 'Done. You change the clinic by its name, at the top of the navigation.',
    close: 'Close',
  },
  clinics: {
    title: 'All clinics',
    text: 'Your partners in all of your clinics, side by side.',
    none: 'None of your clinics has an integration yet.',
    closed: (clinic: string) => `Not shown here: ${clinic}. Sign in there to see its integrations.`,
    notYours: (clinic: string) => `Not shown here: ${clinic}. Your role there does not show integrations.`,
    columns: {
      clinic: 'Clinic',
      state: 'State',
      used: 'Last used',
      patients: 'People read today',
    },
    open: (partner: string, clinic: string) => `Open ${partner} in ${clinic}`,
    stop: 'Stop in all clinics',
    stopOf: (partner: string) => `Stop in all clinics: ${partner}`,
  },
  stopping: {
    title: (partner: string) => `Stop ${partner} in all clinics?`,
    text: 'Its keys and connected apps are refused, and its webhooks send nothing, in:',
    notYours: (clinic: string) => `Not in ${clinic}: your role there does not allow it.`,
    undone: 'Each clinic can undo it, on the page of its integration.',
    submit: 'Stop it everywhere',
    stopped: (clinic: string) => `Stopped in ${clinic}.`,
    failed: (clinic: string) => `Not stopped in ${clinic}:`,
    close: 'Close',
  },
}
