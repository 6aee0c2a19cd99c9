// Runs any command that belongs to an operation: sends the request and prints the answer.
import type { PageMeta } from '@clinic-data/contract/page-meta'
import { isJson } from '../command-line/command.ts'
import { requestOf } from '../command-line/request-of.ts'
import type { CommandRun } from '../command-run.ts'
import { clientOf, connectionOf } from '../connection/connection.ts'
import { type Body, itemsOf, walkPages } from '../connection/pages.ts'
import { checkFields } from '../output/columns.ts'
import { printBody, printPages } from '../output/print-answer.ts'
import { Progress } from '../output/progress.ts'
import { reportedPause } from '../output/reported-pause.ts'
import { tell } from '../output/tell.ts'

export async function run(context: CommandRun): Promise<void> {
  const { call, environment, mayRetry, signal, stderr, wait } = context
  const operation = call.command.operation ?? ''
  const { params, query, body, idempotencyKey, own } = requestOf(call.command, call)
  checkFields(call)
  const progress = new Progress(stderr)
  const client = clientOf(await connectionOf(environment), {
    mayRetry,
    pause: reportedPause(stderr, wait),
  })
  const ask = async (pageQuery: typeof query) => {
    const answer = await client.request(operation, {
      params,
      query: pageQuery as Record<string, string | number | boolean>,
      body,
      idempotencyKey,
      signal,
    })
    const page = answer.body as Body
    if (page?.meta?.warnings !== undefined) await tellWarnings(context, page.meta.warnings)
    return page
  }
  try {
    if (own.all === undefined) {
      const answer = await ask(query)
      if (answer !== undefined) await printBody(context, answer)
      else if (!isJson(context.format)) await tell(stderr, 'Done.')
      return
    }
    const pages = walkPages(ask, query, { max: own.max === undefined ? Number.POSITIVE_INFINITY : Number(own.max) })
    await printPages(context, withProgress(pages, progress, context))
  } finally {
    await progress.end()
  }
}

/** Says why a list is empty, or which values of a query's filters count nothing. */
async function tellWarnings({ stderr, call }: CommandRun, warnings: PageMeta['warnings']): Promise<void> {
  const { placeOf } = await import('../output/report.ts')
  for (const warning of warnings) {
    const values = warning.values === undefined ? '' : ` (${warning.values.join(', ')})`
    await tell(stderr, `warning: ${placeOf(warning, call)}${values}: ${warning.detail}`)
  }
}

/** On a terminal the rows themselves show the progress, also those that a program behind a pipe writes there. */
async function* withProgress(
  pages: AsyncIterable<Body>,
  progress: Progress,
  { stdout, stderr, format }: CommandRun,
): AsyncGenerator<Body> {
  const isSeen = stdout.isTerminal || (stderr.isTerminal && !stdout.isFile)
  let rows = 0
  for await (const body of pages) {
    yield body
    rows += itemsOf(body)
    if (!isSeen || format === 'agents') await progress.show(`${rows} rows so far`)
  }
}
