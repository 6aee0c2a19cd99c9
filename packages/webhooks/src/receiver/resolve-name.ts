// Resolves a name's addresses by DNS without occupying a thread.
//
// getaddrinfo occupies one of the process's four threads until a receiver's name servers answer. A few silent ones would
// stop every other look-up and every file access. The hosts file is not read: no receiver is listed there.
import { Resolver } from 'node:dns/promises'

/** All addresses of a name, of both families. An empty list or a rejection when it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

/** Loopback by definition (RFC 6761), so DNS is not asked. */
const LOOPBACK_NAME = /^(.+\.)?localhost\.?$/
/** The wait for one question to one server. The second question waits about twice as long. */
const QUESTION_MS = 800
const TRIES = 2
/** Some name servers never answer for one of the families. Then the other's addresses are used. */
const PATIENCE_MS = 2_500

/** @param servers `address:port`. Default: the system's servers. */
export function dnsResolver({ servers, patienceMs = PATIENCE_MS }: DnsOptions = {}): ResolveName {
  return async (name) => {
    if (LOOPBACK_NAME.test(name)) return ['127.0.0.1', '::1']
    // A new resolver knows the current servers and can be cancelled. Making one takes 0.03 ms.
    const resolver = new Resolver({ timeout: QUESTION_MS, tries: TRIES })
    if (servers) resolver.setServers(servers)
    const patience = setTimeout(() => resolver.cancel(), patienceMs)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    clearTimeout(patience)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

export interface DnsOptions {
  servers?: readonly string[]
  patienceMs?: number
}
