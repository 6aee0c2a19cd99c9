// The kit as a command: reads the options and the secrets, runs the kit, prints the report, and returns the exit code.
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isWellFormedKey } from '@clinic-data/contract/key'
import { PORT_LIMITS } from '@clinic-data/contract/port'
import { safeJson, safeText } from '@clinic-data/contract/safe-text'
import { fromEnvironment, type Secret, secrets } from './config.ts'
import { type ConformanceOptions, runConformance, Unusable } from './conformance.ts'
import { reportText } from './report.ts'

export const help = (command: string) => `Usage: ${command} --backend <url> [options]

Checks a backend of the Clinic Data API against the rules of the backend port. Use clinics of test data.

Options:
  --backend <url>          where the port is, for example http://127.0.0.1:9000
  --writes                 also try the rules that write leads, payments and chat messages
  --json                   print the report as JSON
  --key-file <path>        a file with the key, in place of CLINIC_KEY
  --other-key-file <path>  a file with the other key, in place of OTHER_CLINIC_KEY
  --token-file <path>      a file with the token, in place of BACKEND_TOKEN
  -h, --help               print this text

Secrets are never arguments, because every program on the machine can see those:
  BACKEND_TOKEN            the token of the port
  CLINIC_KEY               an API key of a clinic, best with every *:read scope
  OTHER_CLINIC_KEY         one of a second clinic: the rules of isolation need it

Exit codes:
  0  no rule failed; rules that could not be tried are reported as skipped
  1  a rule failed
  2  the call is wrong, or the backend cannot be reached, refuses the token or does not know the key

Example:
  BACKEND_TOKEN=… CLINIC_KEY=sk_live_… ${command} --backend http://127.0.0.1:9000
`

const options = {
  backend: { type: 'string' },
  writes: { type: 'boolean' },
  json: { type: 'boolean' },
  'key-file': { type: 'string' },
  'other-key-file': { type: 'string' },
  'token-file': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** The call is wrong. The message says how to mend it. */
class UsageError extends Error {}

/**
 * Runs the kit.
 *
 * @param command how the user calls it, for the help
 * @returns the exit code
 */
export async function main(command: string, argv: readonly string[]): Promise<number> {
  try {
    const options = parsed(argv)
    if (options.help) {
      process.stdout.write(help(command))
      return 0
    }
    const report = await runConformance({ ...(await conformanceOptions(options)), onRule: showProgress })
    showProgress()
    process.stdout.write(options.json ? `${safeJson(JSON.stringify(report))}\n` : reportText(report))
    return report.failed > 0 ? 1 : 0
  } catch (error) {
    showProgress()
    if (!(error instanceof UsageError) && !(error instanceof Unusable)) throw error
    process.stderr.write(`${command}: ${safeText(error.message)}\n(${command} --help shows how it is called)\n`)
    return 2
  }
}

/** @throws UsageError */
function parsed(argv: readonly string[]): Options {
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const seen = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const option = (options as Record<string, { type: string }>)[name]
    if (!option) throw new UsageError(`unknown option ${rawName}`)
    if (option.type === 'string' && !value) throw new UsageError(`${rawName} needs a value`)
    if (option.type === 'boolean' && value !== undefined) throw new UsageError(`${rawName} takes no value`)
    // The last of two values would silently count, and might name the wrong clinic.
    if (seen.has(name)) throw new UsageError(`${rawName} may be given once`)
    seen.add(name)
  }
  if (positionals[0] !== undefined) throw new UsageError('it takes options alone, and no other words')
  // The checks above include those that `strict` would make.
  return values as Options
}

/** @throws UsageError */
async function conformanceOptions(options: Options): Promise<ConformanceOptions> {
  const url = urlOf(options.backend)
  const token = await secretOf(secrets.token, options, isToken, TOKEN_FORM)
  const key = await secretOf(secrets.key, options, isWellFormedKey, KEY_FORM)
  const otherKey = await secretOf(secrets.otherKey, options, isWellFormedKey, KEY_FORM)
  if (token === null) throw new UsageError('BACKEND_TOKEN, or --token-file, must give the token of the port')
  if (key === null) throw new UsageError('CLINIC_KEY, or --key-file, must give one API key of a clinic')
  return { url, token, key, otherKey: otherKey ?? undefined, writes: options.writes ?? false }
}

function urlOf(text = ''): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  if (!isPlain) throw new UsageError('--backend must be an http or https address without credentials or query')
  return url.href
}

const KEY_FORM = 'hold one API key and nothing else'
const TOKEN_FORM = `hold at least ${PORT_LIMITS.token_characters} visible ASCII characters without spaces`

/** Whether a gateway could use the token too: a header takes no other characters. */
function isToken(text: string): boolean {
  return text.length >= PORT_LIMITS.token_characters && /^[\x21-\x7e]+$/.test(text)
}

/** A secret from its file or the environment, or null. @throws UsageError when it has the wrong form. */
async function secretOf(
  secret: Secret,
  options: Options,
  isUsable: (text: string) => boolean,
  form: string,
): Promise<string | null> {
  const path = options[secret.option]
  const text = path === undefined ? fromEnvironment(secret) : await contentOf(secret.option, path)
  if (text === null || isUsable(text)) return text
  throw new UsageError(`${path === undefined ? secret.variable : `--${secret.option}`} must ${form}`)
}

async function contentOf(option: string, path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new UsageError(`--${option} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Rewrites one line of a terminal, or clears it. Elsewhere the report says all. */
function showProgress(name?: string, number?: number, of?: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r\x1b[K${name === undefined ? '' : `${name}, ${number} of ${of}`}`)
}
