// Runs any command that belongs to an operation: sends the request and prints the answer.
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandRun } from '../command-run.ts'
import { clientOf, connectionOf } from '../connection.ts'
import { type Body, itemsOf, walkPages } from '../pages.ts'
import { printBody, printPages } from '../print-answer.ts'
import { Progress } from '../progress.ts'
import { requestOf } from '../request-of.ts'
import { tell } from '../tell.ts'

/** Shorter pauses are not reported. */
const TOLD_PAUSE_MS = 2_000

export async function run(given: CommandRun): Promise<void> {
  const { call, environment, mayRetry, signal, stderr } = given
  const operation = call.command.operation ?? ''
  const { params, query, body, idempotencyKey, own } = requestOf(call.command, call)
  const progress = new Progress(stderr)
  const client = clientOf(await connectionOf(environment), {
    mayRetry,
    pause: async (ms, ended) => {
      if (ms >= TOLD_PAUSE_MS) await progress.say(`waiting ${Math.ceil(ms / 1000)} s before asking again`)
      await delay(ms, undefined, { ...(ended && { signal: ended }) })
    },
  })
  const ask = async (asked: typeof query) => {
    const answer = await client.request(operation, {
      params,
      query: asked as Record<string, string | number | boolean>,
      body,
      idempotencyKey,
      signal,
    })
    return answer.body as Body
  }
  try {
    if (own.all === undefined) {
      const answer = await ask(query)
      if (answer !== undefined) await printBody(given, answer)
      else if (given.format === 'table') await tell(stderr, 'Done.')
      return
    }
    const pages = walkPages(ask, query, { max: own.max === undefined ? Number.POSITIVE_INFINITY : Number(own.max) })
    await printPages(given, told(pages, progress, given))
  } finally {
    await progress.end()
  }
}

/** On a terminal the rows themselves show the progress. */
async function* told(
  pages: AsyncIterable<Body>,
  progress: Progress,
  { stdout, format }: CommandRun,
): AsyncGenerator<Body> {
  let rows = 0
  for await (const body of pages) {
    yield body
    rows += itemsOf(body)
    if (!stdout.isTerminal || format === 'agents') await progress.show(`${rows} rows so far`)
  }
}
