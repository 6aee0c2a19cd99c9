// The words of the question whether an app may use the clinic's data, in English.
import type { Audience } from '@clinic-data/contract/grant'

export const consent = {
  title: (app: string) => `Connect ${app}`,
  wants: "It wants to use the clinic's data.",
  verified: 'Verified by your operator',
  unverified: 'Not verified by your operator',
  returnsTo: 'Then you go back to',
  onThisComputer:
    'It is a program on this computer, and another one here could take its place. Go on only if you have just started it yourself.',
  registeredItself: 'It registered itself under this name. Nobody has checked that the name is right.',
  notAllowed:
    'The clinic does not allow this app: it allows only apps that the operator has verified, or none. An administrator changes that on the page Connected apps.',
  stopped:
    'What this app connected is stopped. It can be connected again when that is undone on the page Integrations.',
  stoppedChoice: 'The integration was stopped meanwhile. Choose another one, or undo that first.',
  reads: 'What it may read',
  changes: 'What it may change',
  audience: {
    api: 'Only through the API for programs.',
    mcp: 'Only as an AI agent, through the MCP server.',
    both: 'Through the whole API, also as an AI agent: it named no part of it.',
  } satisfies Record<Audience | 'both', string>,
  until: 'Connected for',
  life: (days: number | null) => (days === null ? 'Until somebody ends it' : days === 365 ? 'A year' : `${days} days`),
  lifeFromNow: (days: number | null) =>
    days === null ? 'When somebody ends it' : days === 365 ? 'In a year' : `In ${days} days`,
  inClinic: 'Clinic:',
  as: 'You are',
  somebodyElse: 'Sign in as somebody else',
  allow: 'Allow',
  refuse: 'Cancel',
  already: 'It was allowed, but the connection broke before the app was told. Begin again in the app.',
  allowed: 'The app is connected',
  refused: 'Nothing was allowed',
  goingBack: 'You are being sent back to the app.',
  mayClose: 'The program goes on by itself. You can close this page.',
  backTo: 'Back to',
  notYou: 'You cannot connect apps',
  notYouText: 'Nothing was allowed.',
  notYours: 'It also asks for what your role cannot give',
  nothingYours: 'It asks only for what your role cannot give, so you cannot connect it.',
  wrong: 'This app cannot be connected',
  wrongText:
    'Nothing was allowed. The app may be unknown here or switched off, its own description may not be readable now, or the address that led here was changed on the way. Begin again in the app, and if that does not help, tell its makers.',
  forItsMakers: "For the app's makers",
}

export const device = {
  title: 'Connect a device',
  text: 'A program that cannot open a browser shows a code.',
  code: 'Code',
  codeHint: 'Type only a code that your own device shows now. Never one that somebody sent you.',
  unknown:
    'No device waits for this code. It holds for ten minutes: compare the letters, or begin again on the device.',
  submit: 'Go on',
  forCode: 'Your device must show this code:',
  allowed: 'The device is connected',
  refused: 'Nothing was allowed',
  mayGoBack: 'You can go back to your device, and close this page.',
}
