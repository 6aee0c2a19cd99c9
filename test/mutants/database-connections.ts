// Mutants of the database's connections: turns, transactions, packets, sessions, what a server may ask for.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'owners that wait take turns',
    file: 'packages/database/src/connections/fair-line.ts',
    from: '      this.#waiting.delete(next)\n      if (own.size > 1) this.#waiting.set(next, own)',
    to: '      if (own.size <= 1) this.#waiting.delete(next)',
    caught: {
      by: 'packages/database/test/fair-line.test.ts',
      test: 'owners that wait take turns, and each keeps its own order',
    },
  },
  {
    breaks: 'an owner with its whole share waits while places are free',
    file: 'packages/database/src/connections/fair-line.ts',
    from: '(this.#taken.get(owner) ?? 0) < this.#shareOf(owner)',
    to: '(this.#taken.get(owner) ?? 0) <= this.#shareOf(owner)',
    caught: {
      by: 'packages/database/test/fair-line.test.ts',
      test: 'an owner with its whole share waits while places are free, and others pass it',
    },
  },
  {
    breaks: 'one who gave up waiting takes no place',
    file: 'packages/database/src/connections/fair-line.ts',
    from: '            own.delete(admit)\n            if (own.size === 0) this.#waiting.delete(owner)',
    to: '',
    caught: {
      by: 'packages/database/test/fair-line.test.ts',
      test: 'a wait that takes too long is refused, and its turn goes to the next',
    },
  },
  {
    breaks: 'a place is given back once',
    file: 'packages/database/src/connections/fair-line.ts',
    from: 'if (taken < 0) throw',
    to: 'if (taken < -1) throw',
    caught: {
      by: 'packages/database/test/fair-line.test.ts',
      test: 'a place given back twice is an error, and adds no place',
    },
  },
  {
    breaks: 'a statement after the end of a transaction is refused',
    file: 'packages/database/src/connections/transaction.ts',
    from: "    if (this.#over) throw new Error('the transaction is over')\n    let answered",
    to: '    let answered',
    caught: { by: 'packages/database/test/writes.test.ts', test: 'a statement after the end is refused' },
  },
  {
    breaks: 'a statement that was not awaited stores no row',
    file: 'packages/database/src/connections/transaction.ts',
    from: "    if (this.#busy) throw new Error('a statement of the transaction was not awaited')\n",
    to: '',
    caught: { by: 'packages/database/test/writes.test.ts', test: 'a statement that was not awaited stores no row' },
  },
  {
    breaks: 'two simultaneous statements of a transaction are refused',
    file: 'packages/database/src/connections/transaction.ts',
    from: '    this.#requireIdle()\n    const answer',
    to: '    const answer',
    caught: {
      by: 'packages/database/test/writes.test.ts',
      test: 'two simultaneous statements are refused and leave no row',
    },
  },
  {
    breaks: 'a statement whose first use failed is prepared anew',
    file: 'packages/database/src/connections/packet.ts',
    from: '        if (name !== undefined) sent.add(name)',
    to: '        if (name !== undefined) this.#prepared.add(name)',
    caught: {
      by: 'packages/database/test/packets.test.ts',
      test: 'a statement whose first use failed is prepared anew on the same connection',
    },
  },
  {
    breaks: 'a clinic id in a session cannot end its quotes',
    file: 'packages/database/src/connections/clinic-session.ts',
    from: 'const CLINIC_ID = /^[a-z0-9][a-z0-9_-]{0,62}$/',
    to: 'const CLINIC_ID = /^[a-z0-9][a-z0-9_-]{0,62}/',
    caught: { by: 'packages/database/test/reads.test.ts', test: 'a malformed session is refused' },
  },
  {
    breaks: 'a time zone in a session cannot end its quotes',
    file: 'packages/database/src/connections/clinic-session.ts',
    from: 'if (!TIME_ZONE.test(time_zone)) throw',
    to: 'if (!time_zone) throw',
    caught: { by: 'packages/database/test/reads.test.ts', test: 'a malformed session is refused' },
  },
  {
    breaks: "instants are printed in the clinic's zone",
    file: 'packages/database/src/connections/clinic-session.ts',
    from: 'timezone: time_zone }',
    to: "timezone: time_zone && 'UTC' }",
    caught: {
      by: 'packages/database/test/reads.test.ts',
      test: "an instant is printed in the clinic's zone, and a date is its local midnight",
    },
  },
  {
    breaks: 'a kept statement is read by its columns',
    file: 'packages/database/src/connections/packet.ts',
    from: 'new PacketAnswer(prepared.get(name))',
    to: 'new PacketAnswer()',
    caught: {
      by: 'packages/database/test/packets.test.ts',
      test: 'a statement that is kept prepared is read by its columns at every use, also twice in a packet',
    },
  },
  {
    breaks: 'a transaction has the settings that it was opened with',
    file: 'packages/database/src/database.ts',
    from: '...(isDurable ? {} : NOT_AWAITED),',
    to: '...NOT_AWAITED,',
    caught: {
      by: 'packages/database/test/packets.test.ts',
      test: 'each transaction has its own settings, and nothing of the one before',
    },
  },
  {
    breaks: 'a read cannot write',
    file: 'packages/database/src/connections/clinic-session.ts',
    from: "transaction_read_only: 'on'",
    to: "transaction_read_only: 'off'",
    caught: { by: 'packages/database/test/reads.test.ts', test: 'a read cannot write' },
  },
  {
    breaks: 'a read of a cluster cannot write',
    file: 'packages/database/src/connections/shared-connection.ts',
    from: "'begin read only'",
    to: "'begin'",
    caught: {
      by: 'packages/database/test/shared-packets.test.ts',
      test: 'settings end with their read, also when it fails',
    },
  },
  {
    breaks: 'the settings of a read end with it',
    file: 'packages/database/src/connections/clinic-session.ts',
    from: '$${i + 1}, true)`',
    to: '$${i + 1}, false)`',
    caught: {
      by: 'packages/database/test/shared-packets.test.ts',
      test: 'settings end with their read, also when it fails',
    },
  },
  {
    breaks: 'a statement that a failed read has prepared is prepared anew on a shared connection',
    file: 'packages/database/src/connections/shared-packet.ts',
    from: "if (name !== '') connection.close(",
    to: "if (name === '-') connection.close(",
    caught: {
      by: 'packages/database/test/shared-packets.test.ts',
      test: 'a statement that failed is answered when it is asked again',
    },
  },
  {
    breaks: 'a name that a failed read has not prepared is not used without its text',
    file: 'packages/database/src/connections/prepared-names.ts',
    from: 'if (this.#trying.delete(name) && succeeded)',
    to: 'if (this.#trying.delete(name))',
    caught: {
      by: 'packages/database/test/shared-packets.test.ts',
      test: 'a read whose settings are refused does not run',
    },
  },
  {
    breaks: 'what was left on a connection is set anew, also where it is not needed',
    file: 'packages/database/src/connections/clinic-session.ts',
    from: "return { 'app.clinic_id': clinic_id, 'app.key_hash': key_hash, 'app.dispatcher': dispatcher }",
    to: "return { 'app.clinic_id': clinic_id, ...(key_hash && { 'app.key_hash': key_hash }), ...(dispatcher && { 'app.dispatcher': dispatcher }) }",
    caught: {
      by: 'packages/database/test/reads.test.ts',
      test: 'a setting that a statement left on a connection opens nothing to those after it',
    },
  },
  {
    breaks: "a key's hash shows only the row of its key",
    file: 'packages/database/src/connections/clinic-session.ts',
    from: 'const KEY_HASH = /^[0-9a-f]{64}$/',
    to: 'const KEY_HASH = /^[0-9a-f]{64}/',
    caught: { by: 'packages/database/test/reads.test.ts', test: 'a malformed session is refused' },
  },
  {
    breaks: 'a server without room on its disk is an unavailable database',
    file: 'packages/database/src/connections/database-failure.ts',
    from: '/^(57P0|08|53|58030)/',
    to: '/^(57P0|08|58030)/',
    caught: {
      by: 'packages/database/test/reconnecting.test.ts',
      test: 'a server that lacks room on its disk, memory or an answer of its disk is an unavailable database',
    },
  },
  {
    breaks: 'an error about a value does not quote it',
    file: 'packages/database/src/connections/database-failure.ts',
    from: ': withoutValue(error)',
    to: ': error',
    caught: {
      by: 'packages/database/test/reads.test.ts',
      test: 'an error about a value does not quote it, in a read or a write',
    },
  },
  {
    breaks: 'a server that takes no more writes is unavailable to them',
    file: 'packages/database/src/connections/database-failure.ts',
    from: "error.code === '25006'",
    to: "error.code === '25P02'",
    caught: {
      by: 'packages/database/test/reconnecting.test.ts',
      test: 'a server that takes no more writes is unavailable to them, and the next ones get new connections',
    },
  },
  {
    breaks: 'a remote server gets no password in the clear',
    file: 'packages/database/src/connections/server-authentication.ts',
    from: "(method !== 'password' || isPrivate(client, host))",
    to: "(method !== 'password' || isPrivate(client, host) || host !== '')",
    caught: {
      by: 'packages/database/test/server-authentication.test.ts',
      test: 'a remote server gets no password in the clear unless the url accepts it',
    },
  },
  {
    breaks: 'a server that lets everybody in is refused where the url does not accept it',
    file: 'packages/database/src/connections/server-authentication.ts',
    from: "    if (!isRequested) check('none')\n    else if",
    to: '    if',
    caught: { by: 'packages/database/test/server-authentication.test.ts' },
  },
  {
    breaks: 'an unknown way to authenticate is refused when the database is opened',
    file: 'packages/database/src/connections/server-authentication.ts',
    from: 'const method = METHODS.find((one) => one === name.trim())',
    to: 'const method = METHODS.find((one) => one === name.trim()) ?? METHODS[1]',
    caught: {
      by: 'packages/database/test/server-authentication.test.ts',
      test: 'an unknown method is refused when the database is opened',
    },
  },
  {
    breaks: 'a clinic that uses every connection leaves one to others',
    file: 'packages/database/src/connections/connection-pool.ts',
    from: 'const share = limit > 2 ? limit - 1 : limit',
    to: 'const share = limit',
    caught: {
      by: 'packages/database/test/writes.test.ts',
      test: 'a clinic that uses every connection it may have leaves one to others, and they take turns',
    },
  },
  {
    breaks: 'a write that must survive a crash waits for the disk',
    file: 'packages/database/src/database.ts',
    from: 'const batches = isDurable ? this.#batches : this.#quickBatches',
    to: 'const batches = this.#quickBatches',
    caught: {
      by: 'packages/database/test/reads.test.ts',
      test: 'only an append that need not be durable does not wait for the disk',
    },
  },
  {
    breaks: 'a process is not ready while the owner of the tables cannot sign in',
    file: 'packages/database/src/database.ts',
    from: 'Promise.allSettled([this.#batches, this.#quickBatches].map(',
    to: 'Promise.allSettled(this.#reads.map(',
    caught: {
      by: 'packages/server/test/plain-owner-18.test.ts',
      test: 'no process is ready while the owner cannot sign in, or nothing can be written, and all are again by themselves',
    },
  },
  {
    breaks: 'a process is not ready while nothing can be written',
    file: 'packages/database/src/database.ts',
    from: '    for (const one of Object.values(this.#health)) one.requireWritten()\n',
    to: '',
    caught: {
      by: 'packages/server/test/plain-owner-18.test.ts',
      test: 'no process is ready while the owner cannot sign in, or nothing can be written, and all are again by themselves',
    },
  },
  {
    breaks: 'a failed write that says nothing about the server takes no process out of the proxy',
    file: 'packages/database/src/connections/write-health.ts',
    from: 'if (cannotWrite(error)) this',
    to: 'if (error instanceof DatabaseUnavailable) this',
    caught: {
      by: 'packages/database/test/write-health.test.ts',
      test: 'a slow statement, a refused row, a broken connection and a lack of connections say nothing about the next write',
    },
  },
  {
    breaks: 'an archive of the log that fails is told',
    file: 'packages/database/src/server-copies.ts',
    from: 'last_failed_time > coalesce',
    to: 'last_failed_time < coalesce',
    caught: { by: 'packages/database/test/server-copies.test.ts' },
  },
]
