// The words of the administrator's own account, in English.

export const account = {
  title: 'Your account',
  clinic: 'Clinic',
  zone: 'Time zone',
  setTitle: 'Set a password',
  changeTitle: 'Change the password',
  setText: 'Then you can sign in without a link.',
  current: 'Current password',
  currentHint: 'You can leave it empty if you have just signed in by a link.',
  password: 'New password',
  passwordHint: 'At least 12 characters. A few words are easy to keep in mind.',
  repeated: 'New password again',
  submit: 'Save the password',
  saved: 'The password is saved. Your other sessions have ended.',
  sessions: 'Sessions',
  sessionsText: (minutes: number, time: string) =>
    `A session ends after ${minutes} minutes without use. This one ends at the latest at ${time}.`,
  signOut: 'Sign out',
  everywhere: 'Sign out everywhere',
  noPassword: 'You have no password yet.',
  noPasswordAction: 'Set one',
}
