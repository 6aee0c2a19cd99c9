// Looks up a token once for all requests that carry it and come in the same turn of the event loop. A clinic's system that sends a
// hundred batches at once would otherwise ask the database two hundred questions before anybody else's.
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { IngestPrincipal } from '@clinic-data/administration/credentials/ingest-tokens'

export type FindHolder = (token: string) => Promise<IngestPrincipal | null>

/** No request shares a question that has left before it came: the token may have been revoked in between. */
export function oncePerTurn(find: FindHolder): FindHolder {
  const asking = new Map<string, Promise<IngestPrincipal | null>>()
  const ask = async (token: string) => {
    await endOfTurn()
    asking.delete(token)
    return find(token)
  }
  return (token) => {
    const lookUp = asking.get(token) ?? ask(token)
    asking.set(token, lookUp)
    return lookUp
  }
}
