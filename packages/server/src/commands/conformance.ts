// `clinicd conformance --backend <url> --key-file <path>`: checks any backend by the rules of the port.
import { readFile } from 'node:fs/promises'
import { isWellFormedKey } from '@clinic-data/contract/key'
import { Command } from 'commander'
import { ConfigError, readConfig } from '../config.ts'
import { printJson } from '../output.ts'
import { Progress } from '../progress.ts'
import { UsageError } from '../usage-error.ts'

interface ConformanceOptions {
  backend: string
  keyFile: string
  otherKeyFile?: string
  tokenFile?: string
  writes?: boolean
  json?: boolean
}

export function conformanceCommand(): Command {
  return new Command('conformance')
    .description(
      'Hold the rules of the backend port against a backend. Exit 1 when one fails. Use clinics of test data.',
    )
    .requiredOption('--backend <url>', 'where the port is, for example http://127.0.0.1:8081')
    .requiredOption('--key-file <path>', 'a file with one API key of a clinic, best with every *:read scope')
    .option('--other-key-file <path>', 'one of a second clinic: the rules of isolation need it')
    .option('--token-file <path>', 'a file with the token of the port, in place of BACKEND_TOKEN')
    .option('--writes', 'also the rules that write leads, payments and chat messages')
    .option('--json', 'print JSON')
    .action(run)
}

async function run({ backend, writes = false, json, ...files }: ConformanceOptions): Promise<void> {
  const url = urlOf(backend)
  const token = await tokenOf(files.tokenFile)
  const key = await keyOf('--key-file', files.keyFile)
  const otherKey = files.otherKeyFile === undefined ? undefined : await keyOf('--other-key-file', files.otherKeyFile)
  // Loaded when it is called: no other command needs it.
  const { runConformance, Unusable } = await import('@clinic-data/conformance')
  const { reportText } = await import('@clinic-data/conformance/report')
  const progress = new Progress()
  const onRule = (name: string, number: number, of: number) => progress.show(`${name}, ${number} of ${of}`)
  try {
    const report = await runConformance({ url, token, key, otherKey, writes, onRule })
    progress.end()
    if (json) printJson(report)
    else process.stdout.write(reportText(report))
    if (report.failed > 0) process.exitCode = 1
  } catch (error) {
    progress.end()
    throw error instanceof Unusable ? new UsageError(error.message) : error
  }
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  if (!isPlain) throw new UsageError('--backend must be an http or https address without credentials or query')
  return url.href
}

/** Reads the token as a gateway does, so that the kit uses no token that a gateway could not. */
async function tokenOf(file: string | undefined): Promise<string> {
  if (file === undefined) {
    const { backendToken } = readConfig()
    if (backendToken === null) throw new UsageError('BACKEND_TOKEN, or --token-file, must give the token of the port')
    return visible('BACKEND_TOKEN', backendToken)
  }
  const text = await contentOf('--token-file', file)
  try {
    const { backendToken } = readConfig({ BACKEND_TOKEN: text })
    return visible('--token-file', backendToken ?? '')
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError('--token-file must hold a token of at least 32 characters')
    throw error
  }
}

/** A header takes no other characters. */
function visible(name: string, token: string): string {
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError(`${name} must be visible ASCII characters without spaces`)
  return token
}

async function keyOf(option: string, file: string): Promise<string> {
  const key = await contentOf(option, file)
  if (!isWellFormedKey(key)) throw new UsageError(`${option} must hold one API key and nothing else`)
  return key
}

async function contentOf(option: string, file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw new UsageError(`${option} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
