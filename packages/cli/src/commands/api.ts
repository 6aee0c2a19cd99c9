// `sc api`: any request, by its method and path, with the same key, retries and errors as every command.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { requestOf } from '../command-line/request-of.ts'
import type { CommandRun } from '../command-run.ts'
import { clientOf, connectionOf } from '../connection/connection.ts'
import { printJson } from '../output/print-json.ts'
import { reportedPause } from '../output/reported-pause.ts'
import { UsageError } from '../usage-error.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

export async function run(context: CommandRun): Promise<void> {
  const { call, environment, mayRetry, signal, stderr, stdin, wait } = context
  const { own } = requestOf(call.command, call)
  const { method, path } = target(call.args, own.data !== undefined)
  const body = own.data === undefined ? undefined : await readBody(String(own.data), stdin)
  const key = own['idempotency-key']
  const client = clientOf(await connectionOf(environment), { mayRetry, pause: reportedPause(stderr, wait) })
  const idempotencyKey = key === undefined ? undefined : String(key)
  const answer = await client.send(method, path, { body, idempotencyKey, signal })
  if (answer.body !== undefined) await printJson(context, answer.body, 1)
}

/** A path alone is a GET, or with a body a POST. @throws UsageError */
function target({ method = '', path }: CommandRun['call']['args'], hasBody: boolean): { method: string; path: string } {
  const found = path === undefined ? { method: hasBody ? 'POST' : 'GET', path: method } : { method, path }
  const upper = found.method.toUpperCase()
  if (!methods.includes(upper)) throw new UsageError(`the method must be one of ${methods.join(', ')}`, 'sc api --help')
  if (!/^\/[\x21-\x7e]*$/.test(found.path))
    throw new UsageError('the path must begin with / and have no blanks', 'sc api GET /v1/me')
  return { method: upper, path: found.path }
}

/** @throws UsageError when it is not JSON, or the file cannot be read */
async function readBody(data: string, stdin: CommandRun['stdin']): Promise<unknown> {
  const json = data === '-' ? await text(stdin) : data.startsWith('@') ? await fileText(data.slice(1)) : data
  try {
    return JSON.parse(json)
  } catch {
    throw new UsageError('--data must be JSON', '-d \'{"name":"value"}\', -d @file.json, or -d - for standard input')
  }
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
