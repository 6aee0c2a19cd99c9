// The words of connecting a program, in English.

export const connect = {
  title: 'Connect',
  text: 'Give a program access to the clinic. Most need only an address; others get a key of their own.',
  textByAddress: 'Give a program access to the clinic: it takes the address and leads you here to allow it.',
  textByKey: 'Give a program access to the clinic: each gets a key of its own.',
  about: {
    claudeai:
      'Claude on the web, on the desktop and on the phone. Add a custom connector with this address in its settings, under Connectors. It asks from its makers’ servers, so the address must be reachable from the internet.',
    chatgpt:
      'ChatGPT on the web. Make a connector with this address in its settings; that needs the developer mode. It asks from its makers’ servers, so the address must be reachable from the internet.',
    claude: 'Claude Code asks the clinic on its own: free slots, appointments, patients, figures.',
    codex: 'Codex asks the clinic on its own: free slots, appointments, patients, figures.',
    vscode: 'The agent in VS Code asks the clinic on its own.',
    cursor: 'The agent in Cursor asks the clinic on its own.',
    curl: 'One request from a terminal: the quickest way to see what comes back.',
    sdk: 'A program in JavaScript or TypeScript, with Node.js 20 or later, Bun or Deno.',
    python: 'A program in Python, 3.10 or later.',
    sc: 'The command line: every operation is a command, for people and for scripts. It needs Node.js 20 or later.',
  },
  step: {
    address: 'The address',
    line: 'Paste this into a terminal',
    install: 'Install it',
    mjs: 'Save this as first.mjs',
    py: 'Save this as first.py',
    server: 'Put this into ~/.cursor/mcp.json',
    'sign-in': 'Then type this in the program, and choose to sign in',
    run: 'Then run this',
    try: 'Try it',
  },
  thenAllow: 'The program then leads you here, where you see what it wants and allow it.',
  toConnections: 'To the connected apps',
  orByKey: 'Or with a key, where nobody can open a browser',
  usual: (preset: string) => `The usual choice here: ${preset}.`,
  make: (program: string) => `Make a key for ${program}`,
  made: (name: string) =>
    `The key “${name}” is in the lines below. It is shown until you leave this page, and never again.`,
  npm: 'npm 12 also wants this option:',
  after: 'When it no longer needs access, revoke its key.',
  toKeys: 'To the API keys',
}
