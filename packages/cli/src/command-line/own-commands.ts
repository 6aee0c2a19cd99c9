// The client's own commands: the key, the live feed, and those that describe `sc` itself.
import { type CliCommand, ownOption } from './command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]

const own = {
  aliases: [],
  operation: null,
  endpoint: null,
  scope: null,
  args: [],
  options: [],
  rows: 'data',
  output_columns: [],
  detailed_columns: [],
  table_columns: [],
} as const

export const ownCommands: readonly CliCommand[] = [
  {
    ...own,
    path: ['login'],
    summary: 'Connect to a clinic, or store a key',
    description:
      'Opens a browser, in which an administrator of the clinic allows the connection; tokens then renew themselves. Where no browser can be opened, shows a code to type in one elsewhere. --key asks for a key instead, as a service without this sign-in does. What is stored is in a file that only you can read. Takes the base address from SC_BASE_URL, or asks for it. A key is never an argument, because every program on the machine can see arguments.',
    endpoint: 'GET /v1/me',
    options: [
      ownOption('device', 'switch', 'Open no browser here: show a code to type in one elsewhere.'),
      ownOption(
        'scopes',
        'string',
        'What to ask for, separated by commas: reads, and names of scopes. Default: reads.',
        {
          value: 'reads,…',
        },
      ),
      ownOption('key', 'switch', 'Ask for a key instead, which is not shown.'),
      ownOption('key-stdin', 'switch', 'Read a key from standard input, for scripts.'),
    ],
    examples: [
      'sc login',
      'sc login --profile haifa',
      'sc login --device --scopes reads,leads:write',
      'SC_BASE_URL=https://api.clinic-data.example sc login --key-stdin < key.txt',
    ],
  },
  {
    ...own,
    path: ['logout'],
    summary: 'End the connection, or forget the key',
    description:
      'Ends the connection at the service, and removes its tokens or the stored key and the base address from this machine. A key itself stays valid.',
    examples: ['sc logout'],
  },
  {
    ...own,
    path: ['profiles'],
    summary: 'The stored profiles, without keys and tokens',
    description:
      'Each clinic that sc login --profile connected to, or whose key it stored. --profile or SC_PROFILE chooses one.',
    output_columns: ['profile', 'base_url', 'in_use'],
    examples: ['sc profiles', 'sc whoami --profile haifa'],
  },
  {
    ...own,
    path: ['listen'],
    summary: "Watch the clinic's events, and forward them",
    description:
      'Reads the live event feed until it is interrupted. After a broken connection it continues where it stopped. With --forward-to, each event is POSTed to that address once, signed like a real delivery: after a failure it is printed, and not sent again. Use it while your endpoint has no public address yet. A test event (sc webhooks test) goes to its endpoint alone, so it is not seen here.',
    endpoint: 'GET /v1/events',
    scope: 'webhooks:manage',
    options: [
      ownOption('forward-to', 'string', 'Where each event is sent: https, or http on this machine.', { value: 'url' }),
      ownOption('events', 'string', 'Only these types, separated by commas.', { value: 'types' }),
      ownOption('print-secret', 'switch', 'Print the secret that signs the forwarded events, and exit.'),
    ],
    output_columns: ['created_at', 'type', 'id', 'status', 'duration_ms'],
    examples: [
      'sc listen --forward-to http://localhost:3000/hook',
      'sc listen --events appointment.created,appointment.cancelled --format json',
      'sc listen --print-secret',
    ],
  },
  {
    ...own,
    path: ['api'],
    summary: 'Any request, by its method and path',
    description:
      'Sends the request with your key and prints the answer as JSON. GET may be left out. A POST carries an Idempotency-Key.',
    args: [
      { name: 'method', fills: 'method', in: 'path', required: true, description: 'GET, POST, PATCH, PUT or DELETE.' },
      { name: 'path', fills: 'path', in: 'path', required: false, description: 'The path with its query.' },
    ],
    options: [
      ownOption('data', 'string', 'The body: JSON, @file, or - for standard input.', { short: 'd', value: 'json' }),
      ownOption('idempotency-key', 'string', 'Makes a POST safe to repeat. If you leave it out, `sc` makes one.', {
        value: 'key',
      }),
    ],
    examples: [
      "sc api GET '/v1/patients?limit=2'",
      'sc api /v1/me',
      `sc api POST /v1/leads -d '{"first_name":"Dana","phone":"050-123-4567","source":"website"}'`,
      'sc api POST /v1/leads -d @lead.json',
    ],
  },
  {
    ...own,
    path: ['schema'],
    summary: 'Every command as JSON',
    description: 'The whole command tree, for programs: arguments, options, endpoints, scopes, columns, exit codes.',
    examples: ['sc schema', 'sc schema --format agents'],
  },
  {
    ...own,
    path: ['completion'],
    summary: 'The completion script of a shell',
    description: 'Prints a script that lets the shell complete commands, options and their values.',
    args: [
      {
        name: 'shell',
        fills: 'shell',
        in: 'path',
        required: true,
        description: `One of ${shells.join(', ')}.`,
      },
    ],
    examples: ['source <(sc completion bash)', 'source <(sc completion zsh)', 'sc completion fish | source'],
  },
  {
    ...own,
    path: ['help'],
    summary: 'What a command does, and how to call it',
    description: 'The same as --help behind the command.',
    args: [
      { name: 'command', fills: 'command', in: 'path', required: false, description: 'The words of the command.' },
    ],
    examples: ['sc help', 'sc help appointments list'],
  },
  {
    ...own,
    path: ['version'],
    summary: 'The version of sc',
    description: 'The same as --version.',
    examples: ['sc version'],
  },
]
