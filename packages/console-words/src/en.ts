// Every word of the console, in English. The other languages have the same type.
import { account } from './en/account.ts'
import { activity } from './en/activity.ts'
import { clinic } from './en/clinic.ts'
import { explore } from './en/explore.ts'
import { keys, mint, revoke, scopes, shown } from './en/keys.ts'
import { refusals } from './en/refusals.ts'
import { signIn } from './en/sign-in.ts'
import { webhooks } from './en/webhooks.ts'

export const en = {
  locale: 'en-GB',
  title: 'Console',
  skip: 'Skip to the content',
  menu: 'Menu',
  close: 'Close',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  retry: 'Try again',
  loading: 'Loading…',
  language: 'Language',
  scheme: { label: 'Colours', auto: 'System', light: 'Light', dark: 'Dark' },
  navigation: 'Pages of the console',
  pages: {
    home: 'Home',
    clinics: 'All clinics',
    integrations: 'Integrations',
    keys: 'API keys',
    connections: 'Connected apps',
    webhooks: 'Webhooks',
    approvals: 'Approvals',
    connect: 'Connect',
    activity: 'Activity',
    explore: 'Explore',
    patients: 'Patients',
    clinic: 'Clinic',
    people: 'People',
    account: 'Your account',
  },
  notFound: { title: 'There is no such page', text: 'The address may be mistyped.' },
  connection: { lost: 'The connection is lost. Trying again every few seconds.', again: 'Try now' },
  problem: {
    unreachable: 'The service cannot be reached. Check the connection and try again.',
    unexpected: 'The service met an unexpected error. Try again.',
    reference: (id: string) => `For support: ${id}`,
    tooMany: (minutes: number) =>
      minutes <= 1
        ? 'Too many attempts. Try again in a minute.'
        : `Too many attempts. Try again in ${minutes} minutes.`,
    unshown: 'This page could not be shown. The service may have been updated: load it again.',
    refused: 'The service refused this request. Load the page again.',
    forbidden: 'Your role does not allow this. An owner of the clinic can change it.',
    unconfirmed: 'Nothing was changed: it was not confirmed that it is you.',
    unapproved:
      'Another owner or administrator has to approve this, and sees it on the page Approvals. Nothing was changed yet.',
    gone: 'This no longer exists. It may have been deleted.',
  },
  changed: {
    title: 'Somebody else changed this meanwhile.',
    now: 'It is now:',
    again: 'Save again to make your change to that, or cancel to leave it.',
    closed: 'Somebody else changed this meanwhile, and nothing was saved. Look at how it is now, and choose again.',
  },
  /** Each field's text says what is right in it. */
  faults: {
    clinic_id: 'Write the id of the clinic: letters, digits and hyphens.',
    email: 'Write an e-mail address.',
    name: 'Write a name of 1 to 200 characters.',
    scopes: 'Choose at least one permission.',
    integration_id: 'This integration is stopped. Undo that first, or choose another one.',
    rate_limit: 'Write a whole number from 1 to 1,000,000.',
    networks: 'Write at most 20 addresses or networks, as 203.0.113.9 or 203.0.113.0/24, with commas between.',
    expires_at: 'Choose a time in the future, no later than the clinic allows.',
    days: 'Choose a shorter time: no app of the clinic stays connected for that long.',
    password: 'Write a password of 12 to 200 characters.',
    current_password: 'This is not the current password.',
    repeated: 'The two passwords differ.',
  } as Record<string, string>,
  /** Asked wherever access is granted. */
  forIntegration: {
    which: 'For which integration?',
    choose: 'Choose one',
    chooseOne: 'Choose an integration.',
    own: 'A new one',
    newName: 'Name of the new integration',
    taken: 'An integration has this name already. Choose that one, or another name.',
  },
  longest: {
    atMost: (days: number) => `At most ${days} days: the clinic has set it.`,
  },
  signIn,
  keys,
  mint,
  shown,
  revoke,
  explore,
  clinic,
  activity,
  refusals,
  account,
  scopes,
  webhooks,
}

export type Words = typeof en
