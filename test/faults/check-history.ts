// Finds what was lost, doubled or wrongly answered in a history. Pure: it reads a history and the stored state, and nothing else.
import type { Delivery, Entry, Stored, StoredEvent, Subscribe, Unsubscribe, Walk, Write, WriteKind } from './history.ts'

export type ViolationKind =
  | 'lost write'
  | 'doubled write'
  | 'write that nobody asked for'
  | 'unreadable write'
  | 'missing event'
  | 'doubled event'
  | 'event of a wrong type'
  | 'gap in the feed'
  | 'gap in the documents'
  | 'write without audit'
  | 'missing delivery'
  | 'wrong delivery'
  | 'delivery after the end'
  | 'accepted revoked key'
  | 'row missed by a walk'
  | 'row repeated by a walk'
  | 'wrong answer'

export interface Violation {
  readonly kind: ViolationKind
  readonly text: string
}

/**
 * The engine starts nothing later than a second after the acknowledged end of a subscription. The second one is for the way to the
 * receiver on a busy machine.
 */
export const LATEST_START_MS = 2_000

const RECORDED = 'payment.recorded'

/** The records that the clients write have these events: nobody changes a payment, and no event tells of a lead. */
const EVENTS_OF: Readonly<Record<WriteKind, readonly string[]>> = {
  lead: [],
  payment: [RECORDED],
  message: ['chat.message.sent', 'chat.message.delivered', 'chat.message.read', 'chat.message.failed'],
}

/** @returns every violation. A sound history has none. */
export function checkHistory(
  history: readonly Entry[],
  stored: Stored,
  latestStartMs: number = LATEST_START_MS,
): Violation[] {
  const found: Violation[] = []
  const tell = (kind: ViolationKind, text: string) => void found.push({ kind, text })
  const of = <Name extends Entry['entry']>(name: Name) =>
    history.filter((one): one is Extract<Entry, { entry: Name }> => one.entry === name)
  const writes = Map.groupBy(of('write'), ({ kind, name }) => `${kind} ${name}`)

  checkWrites(writes, stored, tell)
  checkReads(history, tell)
  checkEvents(stored, tell)
  checkDeliveries(
    { writes, stored, deliveries: of('delivery'), begun: of('subscribe'), ended: of('unsubscribe'), latestStartMs },
    tell,
  )
  for (const revoked of of('revoke').filter(isAcknowledged)) {
    const late = of('use').filter(({ key, invokedAt }) => key === revoked.key && invokedAt > revoked.endedAt)
    for (const use of late.filter(({ isAccepted }) => isAccepted))
      tell('accepted revoked key', `${use.key}, ${ms(use.invokedAt - revoked.endedAt)} after its revocation`)
  }
  for (const walk of of('walk')) checkWalk(walk, writes, tell)
  for (const { text } of of('wrong answer')) tell('wrong answer', text)
  return found
}

type Tell = (kind: ViolationKind, text: string) => void
type Writes = ReadonlyMap<string, readonly Write[]>

const ms = (duration: number) => `${Math.round(duration)} ms`
const isAcknowledged = ({ result }: { result: string }) => result === 'ok'

/** Acknowledged: stored once, under the acknowledged id. Unknown: stored once or not at all. Refused: not stored. */
function checkWrites(writes: Writes, stored: Stored, tell: Tell): void {
  const records = Map.groupBy(stored.records, ({ kind, name }) => `${kind} ${name}`)
  for (const [name, attempts] of writes) {
    const kept = new Set((records.get(name) ?? []).map(({ id }) => id))
    const acknowledged = attempts.filter(isAcknowledged)
    const ids = new Set(acknowledged.map(({ id = '' }) => id))
    if (kept.size > 1 || ids.size > 1) tell('doubled write', `${name}: ${[...new Set([...kept, ...ids])].join(', ')}`)
    for (const id of ids) if (!kept.has(id)) tell('lost write', `${name}: ${id}`)
    if (kept.size > 0 && attempts.every(({ result }) => result === 'fail')) tell('write that nobody asked for', name)
    for (const { requestId = '' } of acknowledged)
      if (!stored.audited.has(requestId)) tell('write without audit', `${name}: request ${requestId}`)
  }
  for (const name of records.keys()) if (!writes.has(name)) tell('write that nobody asked for', name)
  const expected = stored.documents.map((_, at) => at + 1)
  if (stored.documents.join() !== expected.join()) tell('gap in the documents', stored.documents.join(' '))
}

function checkReads(history: readonly Entry[], tell: Tell): void {
  const acknowledgedAt = new Map<string, number>()
  for (const one of history) {
    if (one.entry !== 'write' || one.result !== 'ok' || one.id === undefined) continue
    const place = `${one.kind} ${one.id}`
    acknowledgedAt.set(place, Math.min(acknowledgedAt.get(place) ?? Number.POSITIVE_INFINITY, one.endedAt))
  }
  for (const one of history) {
    if (one.entry !== 'read' || one.isFound) continue
    const place = `${one.kind} ${one.id}`
    const since = one.invokedAt - (acknowledgedAt.get(place) ?? Number.POSITIVE_INFINITY)
    if (since > 0) tell('unreadable write', `${place}, ${ms(since)} after it was acknowledged`)
  }
}

/** Each stored payment has its one event, each event is one that its record can have, and the feed has no gap. */
function checkEvents({ records, events }: Stored, tell: Tell): void {
  const recorded = Map.groupBy(
    events.filter(({ type }) => type === RECORDED),
    ({ subject }) => subject,
  )
  for (const { kind, id } of records) {
    if (kind !== 'payment') continue
    const count = recorded.get(id)?.length ?? 0
    if (count === 0) tell('missing event', `payment ${id}`)
    if (count > 1) tell('doubled event', `payment ${id}: ${count} events`)
  }
  const kinds = new Map(records.map(({ kind, id }) => [id, kind]))
  for (const { id, type, subject } of events) {
    const kind = kinds.get(subject)
    if (kind !== undefined && !EVENTS_OF[kind].includes(type))
      tell('event of a wrong type', `${id} (${type}) of the ${kind} ${subject}`)
  }
  const places = events.flatMap(({ position }) => position ?? [])
  const wrong = places.findIndex((position, at) => position !== at + 1)
  if (wrong >= 0) tell('gap in the feed', `place ${wrong + 1} holds ${places[wrong]}`)
}

interface Sent {
  readonly writes: Writes
  readonly stored: Stored
  readonly deliveries: readonly Delivery[]
  readonly begun: readonly Subscribe[]
  readonly ended: readonly Unsubscribe[]
  readonly latestStartMs: number
}

/**
 * A subscription gets every matching event whose write began after it was acknowledged, unless somebody asked to end it. One from
 * before the first write gets every matching event.
 */
function checkDeliveries(sent: Sent, tell: Tell): void {
  const { writes, stored, deliveries, begun, ended, latestStartMs } = sent
  const firstInvokedAt = (attempts: readonly Write[]) => Math.min(...attempts.map(({ invokedAt }) => invokedAt))
  const firstAt = Math.min(...[...writes.values()].map(firstInvokedAt))
  const startedAt = new Map(
    stored.records.map(({ kind, name, id }) => [id, firstInvokedAt(writes.get(`${kind} ${name}`) ?? [])]),
  )
  const events = new Map(stored.events.map((event) => [event.id, event]))
  for (const { subscription, types, endedAt, result } of begun) {
    const got = deliveries.filter((delivery) => delivery.subscription === subscription)
    checkGot(got, types, events, tell)
    const ends = ended.filter((one) => one.subscription === subscription)
    const acknowledgedEnd = Math.min(...ends.filter(isAcknowledged).map((end) => end.endedAt))
    for (const { event, at } of got)
      if (at > acknowledgedEnd + latestStartMs)
        tell('delivery after the end', `${event} to ${subscription}, ${ms(at - acknowledgedEnd)} after it`)
    if (result !== 'ok' || ends.length > 0) continue
    const delivered = new Set(got.map(({ event }) => event))
    for (const event of stored.events) {
      const isDue = endedAt < firstAt || endedAt < (startedAt.get(event.subject) ?? Number.NEGATIVE_INFINITY)
      if (isDue && isWanted(event.type, types) && !delivered.has(event.id))
        tell('missing delivery', `${event.id} to ${subscription}`)
    }
  }
}

const isWanted = (type: string, types: readonly string[]) => types.length === 0 || types.includes(type)

/** Checks that what a subscription got is stored, under this type, and was wanted. */
function checkGot(
  got: readonly Delivery[],
  types: readonly string[],
  events: ReadonlyMap<string, StoredEvent>,
  tell: Tell,
): void {
  for (const { event, type, subscription } of got) {
    const isKnown = events.get(event)?.type === type
    if (!isKnown || !isWanted(type, types)) tell('wrong delivery', `${event} (${type}) to ${subscription}`)
  }
}

/** A walk sees every payment that was acknowledged before it began once, and no payment twice. */
function checkWalk({ ids, invokedAt }: Walk, writes: Writes, tell: Tell): void {
  const seen = new Set(ids)
  if (seen.size < ids.length) {
    const repeated = ids.filter((id, at) => ids.indexOf(id) !== at)
    tell('row repeated by a walk', repeated.join(', '))
  }
  for (const attempts of writes.values())
    for (const { kind, result, id = '', endedAt } of attempts)
      if (kind === 'payment' && result === 'ok' && endedAt < invokedAt && !seen.has(id))
        tell('row missed by a walk', `payment ${id}`)
}
