// `sc listen`: the clinic's events as they happen, each forwarded to an endpoint under development.
import { type EventType, eventTypes } from '@clinic-data/contract/event-types'
import { isJson } from '../command-line/command.ts'
import { requestOf } from '../command-line/request-of.ts'
import type { CommandRun } from '../command-run.ts'
import { readAddress } from '../connection/base-address.ts'
import { type Connection, clientOf, connectionOf } from '../connection/connection.ts'
import { type Forwarded, forwardEvent, listenSecret, type Target } from '../forward-event.ts'
import { type FeedPage, type LiveEvent, liveEvents } from '../live-events.ts'
import { jsonText } from '../output/json-text.ts'
import { rowsText } from '../output/print-answer.ts'
import { wait as byTimer } from '../output/reported-pause.ts'
import { tell } from '../output/tell.ts'
import { UsageError } from '../usage-error.ts'

const WAITING = 'waiting for new events. Ctrl-C ends it.'
const SIGNED = 'It is signed with the secret that sc listen --print-secret prints.'

interface Seen {
  readonly event: LiveEvent
  /** Null without --forward-to. */
  readonly forwarded: Forwarded | null
}

export async function run(context: CommandRun): Promise<void> {
  const { call, environment, stdout } = context
  const { own } = requestOf(call.command, call)
  const url = own['forward-to'] === undefined ? null : readAddress(String(own['forward-to']), '--forward-to')
  const types = own.events === undefined ? undefined : checkedTypes(String(own.events))
  const connection = await connectionOf(environment)
  const secret = listenSecret(connection.seed)
  if (own['print-secret'] !== undefined) return stdout.write(`${secret}\n`)
  const target = url === null ? null : { url, secret, signal: context.signal }
  await print(context, seen(feedOf(context, connection, types, url), target), url !== null)
}

function feedOf(
  { signal, stderr, wait = byTimer }: CommandRun,
  connection: Connection,
  types: string | undefined,
  url: string | null,
) {
  // The feed has its own retries. Without those of the client, each lost connection is reported at once.
  const client = clientOf(connection, { mayRetry: false })
  return liveEvents({
    eventTypes: types,
    ask: async (query) => (await client.request('events.list', { query, signal })).body as FeedPage,
    opened: () => tell(stderr, `Ready: ${url === null ? WAITING : `forwarding to ${url}. ${SIGNED}`}`),
    lost: ({ message }, ms) => tell(stderr, `${message}; trying again in ${Math.ceil(ms / 1000)} s`),
    found: () => tell(stderr, 'Connected again. No event was lost.'),
    pause: (ms) => wait(ms, signal),
  })
}

async function* seen(events: AsyncIterable<LiveEvent>, target: Target | null): AsyncGenerator<Seen> {
  for await (const event of events) {
    yield { event, forwarded: target === null ? null : await forwardEvent(event, target) }
  }
}

async function print(context: CommandRun, all: AsyncIterable<Seen>, isForwarded: boolean): Promise<void> {
  const { call, format, stdout } = context
  if (isJson(format)) {
    for await (const { event, forwarded } of all) {
      await stdout.write(`${jsonText(forwarded === null ? { event } : { event, forwarded }, 0)}\n`)
    }
    return
  }
  const columns = isForwarded ? call.command.output_columns : ['created_at', 'type', 'id']
  async function* rows() {
    for await (const { event, forwarded } of all) {
      const { created_at, type, id } = event
      const status = forwarded?.status ?? forwarded?.error
      yield [{ created_at, type, id, ...(forwarded && { status, duration_ms: forwarded.duration_ms }) }]
    }
  }
  for await (const text of rowsText(context, rows(), columns)) await stdout.write(text)
}

function checkedTypes(list: string): string {
  const types = list.split(',').map((type) => type.trim())
  const unknown = types.filter((type) => !eventTypes.includes(type as EventType))
  if (unknown.length === 0) return types.join(',')
  throw new UsageError(`--events takes event types, separated by commas: ${eventTypes.join(', ')}`, 'sc listen --help')
}
