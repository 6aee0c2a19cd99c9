// The client's own commands: the key, the live feed, and those that describe `sc` itself.
import { type CliCommand, ownOption } from './command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof shells)[number]

const own = {
  operation: null,
  endpoint: null,
  scope: null,
  args: [],
  options: [],
  rows: 'data',
  output_columns: [],
} as const

export const ownCommands: readonly CliCommand[] = [
  {
    ...own,
    path: ['login'],
    summary: 'Store a key for this user',
    description:
      'Asks for a key, checks it with the service, and stores it in a file that only you can read. The base address is that of SC_BASE_URL, or is asked for. A key is never an argument: arguments are seen by every program on the machine.',
    endpoint: 'GET /v1/me',
    options: [ownOption('key-stdin', 'switch', 'Read the key from standard input, for scripts.')],
    examples: ['sc login', 'SC_BASE_URL=https://api.clinic-data.example sc login --key-stdin < key.txt'],
  },
  {
    ...own,
    path: ['logout'],
    summary: 'Forget the stored key',
    description: 'Removes the stored key and base address from this machine. The key itself goes on to be valid.',
    examples: ['sc logout'],
  },
  {
    ...own,
    path: ['listen'],
    summary: "Watch the clinic's events, and forward them",
    description:
      'Reads the live event feed until it is interrupted, and after a broken connection goes on where it stood. With --forward-to each event is POSTed to that address, signed as a real delivery, for the time in which your endpoint has no public address yet.',
    endpoint: 'GET /v1/events',
    scope: 'webhooks:manage',
    options: [
      ownOption('forward-to', 'string', 'Where each event is sent: https, or http on this machine.', { value: 'url' }),
      ownOption('events', 'string', 'Only these types, separated by commas.', { value: 'types' }),
      ownOption('print-secret', 'switch', 'Print the secret that the forwarded events are signed with, and end.'),
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
]
