// The words of signing in, in English.

export const signIn = {
  title: 'Sign in',
  text: "The clinic's settings for integrations.",
  clinic: 'Clinic',
  clinicHint: 'Its id, for example springfield',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  byPasskey: 'Sign in with a passkey',
  orPassword: 'or with your password',
  passkeyRefused: 'This passkey does not open the console. It may have been removed.',
  passkeyStopped: 'No passkey was chosen. Try again, or sign in with your password.',
  openid: {
    submit: (provider: string) => `Sign in with ${provider}`,
    refused: (provider: string) =>
      `Your account at ${provider} does not open the console of this clinic. Check the clinic, or ask the operator of the service.`,
    stopped: (provider: string) => `Signing in with ${provider} was not completed. Try again.`,
    unreachable: (provider: string) => `${provider} cannot be reached now. Try again, or sign in another way.`,
  },
  refused: 'Clinic, e-mail and password do not belong together.',
  linkRefused: 'This sign-in link has expired or was used before. Ask for a new one, or sign in another way.',
  looking: 'Looking at the link…',
  byLink: 'This link opens the console of a clinic in the name of:',
  notMine: 'Is this not you? Then close the page: the link stays unused.',
  ended: 'Your session has ended. Sign in to go on where you were.',
  pairing: {
    title: 'Add a clinic',
    text: 'Sign in to the other clinic as you always do. You have ten minutes.',
    cancel: 'Do not add a clinic',
  },
  without: 'No password yet? The operator of the service makes you a sign-in link.',
}
