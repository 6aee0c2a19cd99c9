// The words of connecting a program, in English.

export const connect = {
  title: 'Connect',
  text: 'Give a program access to the clinic. Each gets a key of its own, so that each can be revoked on its own.',
  about: {
    claude: 'Claude Code asks the clinic on its own: free slots, appointments, patients, figures. It changes nothing.',
    codex: 'Codex asks the clinic on its own: free slots, appointments, patients, figures. It changes nothing.',
    vscode: 'The agent in VS Code asks the clinic on its own. It changes nothing.',
    curl: 'One request from a terminal: the quickest way to see what comes back.',
    sdk: 'A program in JavaScript or TypeScript, with Node.js 20 or later, Bun or Deno.',
    sc: 'The command line: every operation is a command, for people and for scripts. It needs Node.js 20 or later.',
  },
  step: {
    line: 'Paste this into a terminal',
    install: 'Install it',
    file: 'Save this as first.mjs',
    run: 'Then start it with the key',
    try: 'Try it',
  },
  usual: (preset: string) => `The usual choice here: ${preset}.`,
  make: (program: string) => `Make a key for ${program}`,
  made: (name: string) =>
    `The key “${name}” is in the lines below. It is shown until you leave this page, and never again.`,
  npm: 'npm 12 also wants this option:',
  after: 'When it no longer needs access, revoke its key.',
  toKeys: 'To the API keys',
}
