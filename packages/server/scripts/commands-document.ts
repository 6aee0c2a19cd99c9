// Writes the page of all commands of `clinicd` from their definitions. Prints it with: node packages/server/scripts/commands-document.ts
import { help as conformanceHelp } from '@clinic-data/conformance/command-line'
import type { Command, Option } from 'commander'
import { program } from '../src/clinicd.ts'

const INTRODUCTION = `# Commands of \`clinicd\`

In the repository, write \`npx --no -- clinicd …\`. The commands need the [settings](settings.md) of the service, and work while it runs, also
while \`npm start\` does. The exit code is 0, 2 for a call or a setting that is wrong, and 1 for every other failure. \`clinicd … --help\` says
the same as this page, which is made from the definitions (\`npm run golden\`).

For example, this makes a clinic from FHIR bundles, and a key to read it:

\`\`\`sh
npx --no -- clinicd clinics create --id springfield --name 'Springfield Clinic' --time-zone America/New_York --currency USD --country US
npx --no -- clinicd import fhir path/to/bundles --clinic springfield
npx --no -- clinicd keys mint --clinic springfield --scopes reads
\`\`\`
`

/** The whole of `docs/commands.md`. */
export function commandsDocument(): string {
  const all = program().commands.flatMap((command) => (command.commands.length === 0 ? [command] : command.commands))
  const effects = all.map((command) => `| [\`${nameOf(command)}\`](#${anchorOf(command)}) | ${shortOf(command)} |`)
  return [
    INTRODUCTION,
    `| Command | Effect |\n|---|---|\n${effects.join('\n')}\n`,
    ...program().commands.map(chapter),
  ].join('\n')
}

/** Returns what a list of commands says of it. */
export function shortOf(command: Command): string {
  return command.summary() || command.description()
}

/** @example nameOf(mint) // 'clinicd keys mint' */
function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()
}

const anchorOf = (command: Command) => nameOf(command).replaceAll(' ', '-')

function chapter(command: Command): string {
  const own = section('##', command)
  return [own, ...command.commands.map((one) => section('###', one))].join('\n')
}

function section(level: string, command: Command): string {
  const parts = [`${level} ${nameOf(command)}`, linked(command.description())]
  if (command.name() === 'conformance') parts.push(fenced(conformanceHelp(nameOf(command))))
  else if (command.commands.length === 0) parts.push(inputs(command))
  return `${[...parts, ...furtherHelp(command)].join('\n\n')}\n`
}

function inputs(command: Command): string {
  const rows = [
    ...command.registeredArguments.map((one) => [`\`<${one.name()}>\``, 'required', one.description]),
    ...command.options.map((one) => [`\`${one.flags}\``, shownDefault(one), aboutOf(one)]),
  ]
  return `| | Default | Meaning |\n|---|---|---|\n${rows.map(([name, value, about]) => `| ${name} |${value && ` ${value}`} | ${about} |`).join('\n')}`
}

function shownDefault({ mandatory, defaultValue }: Option): string {
  if (mandatory && defaultValue === undefined) return 'required'
  return typeof defaultValue === 'string' ? `\`${defaultValue}\`` : ''
}

function aboutOf({ description, argChoices }: Option): string {
  return argChoices ? `${description}: ${argChoices.map((one) => `\`${one}\``).join(', ')}` : description
}

/** Returns what a command's help says below its options. */
function furtherHelp(command: Command): string[] {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  const text = help.slice(command.helpInformation().length).trim()
  if (text === '') return []
  return [/^ {2}/m.test(text) ? fenced(text) : linked(text).replaceAll('\n', ' ')]
}

const fenced = (text: string) => `\`\`\`\n${text.trim()}\n\`\`\``

/** The page is in `docs/` itself. */
const linked = (text: string) =>
  text.replaceAll(/docs\/([\w/-]+\.md)(#[\w-]+)?/g, (_, file, part = '') => `[${file}](${file}${part})`)

if (import.meta.main) process.stdout.write(commandsDocument())
