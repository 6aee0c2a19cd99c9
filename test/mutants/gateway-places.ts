// Mutants of a listener's places, and of the turns of those who hold them.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an address has no more than its share of the connections',
    file: 'packages/gateway/src/connections/address-limit.ts',
    from: 'if (taken >= this.#most) return false',
    to: 'if (taken > this.#most) return false',
    caught: {
      by: 'packages/gateway/test/address-limit.test.ts',
      test: 'an address has a limited number of connections, another address is still served, and a closed connection makes room',
    },
  },
  {
    breaks: 'a closed connection makes room for the next of its address',
    file: 'packages/gateway/src/connections/address-limit.ts',
    from: "if (this.#take(address)) socket.once('close', () => this.#leave(address))\n    else",
    to: 'if (!this.#take(address))',
    caught: {
      by: 'packages/gateway/test/address-limit.test.ts',
      test: 'an address has a limited number of connections, another address is still served, and a closed connection makes room',
    },
  },
  {
    breaks: 'a flood of one address leaves the loop after a turn',
    file: 'packages/gateway/src/connections/fair-turns.ts',
    from: 'if (this.#monotonic() < this.#endsAt) {',
    to: 'if (this.#waiting.size === 0) {',
    caught: {
      by: 'packages/gateway/test/fair-turns.test.ts',
      test: 'a request that arrives behind a flood of another address is served in the next turn',
    },
  },
  {
    breaks: 'the waiting addresses come one after the other',
    file: 'packages/gateway/src/connections/fair-turns.ts',
    from: '    this.#waiting.delete(address)\n    const work = line.shift()\n    if (line.length > 0) this.#waiting.set(address, line)\n',
    to: '    const work = line.shift()\n    if (line.length === 0) this.#waiting.delete(address)\n',
    caught: {
      by: 'packages/gateway/test/fair-turns.test.ts',
      test: 'the addresses come one after the other, and the requests of each in their order',
    },
  },
  {
    breaks: 'a turn counts what a request does after its promises',
    file: 'packages/gateway/src/connections/fair-turns.ts',
    from: 'queueMicrotask(() => process.nextTick(goOn))',
    to: 'goOn()',
    caught: {
      by: 'packages/gateway/test/fair-turns.test.ts',
      test: 'a turn counts what a request does after its promises',
    },
  },
  {
    breaks: 'the refusals of a flood of unknown keys are spread over time',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: '?.catch((busy) => this.#refuseLater(busy))',
    to: '',
    caught: {
      by: 'packages/gateway/test/admission.test.ts',
      test: 'what a flood of unknown keys has no room for is refused at different times, and a known key goes past it',
    },
  },
  {
    breaks: 'what has waited too long for its turn is refused',
    file: 'packages/gateway/src/limits/shedding.ts',
    from: 'lateMs > mostMs || now - request.observed.startedAt > mostMs',
    to: 'lateMs > mostMs',
    caught: {
      by: 'packages/gateway/test/shedding.test.ts',
      test: 'a request that has waited long for its address’s turn gets 503, and a health check is served all the same',
    },
  },
  {
    breaks: 'a process that has just started refuses nobody for being slow',
    file: 'packages/gateway/src/limits/shedding.ts',
    from: 'COLD_FACTOR * delayMs : delayMs',
    to: 'delayMs : delayMs',
    caught: {
      by: 'packages/gateway/test/shedding.test.ts',
      test: 'a process that has just started bears four times as long a wait',
    },
  },
  {
    breaks: 'the time of a request begins when it arrives, not with its turn',
    file: 'packages/gateway/src/connections/fair-turns.ts',
    from: 'return arrivals.get(request) ?? performance.now()',
    to: 'return performance.now()',
    caught: {
      by: 'packages/gateway/test/shedding.test.ts',
      test: 'a request that has waited long for its address’s turn gets 503, and a health check is served all the same',
    },
  },
  {
    breaks: 'of the idle connections the idlest goes',
    file: 'packages/gateway/src/connections/full-listener.ts',
    from: 'return fullest.values().next().value',
    to: 'return [...fullest].at(-1)',
    caught: {
      by: 'packages/gateway/test/full-listener.test.ts',
      test: 'of an address’s connections, the one that has been without a request longest makes room',
    },
  },
  {
    breaks: 'who has few idle connections keeps them',
    file: 'packages/gateway/src/connections/full-listener.ts',
    from: 'if (idle.size > fullest.size) fullest = idle',
    to: 'if (fullest.size === 0) fullest = idle',
    caught: {
      by: 'packages/gateway/test/full-listener.test.ts',
      test: 'who has fewer idle connections than another address keeps them, however long they are idle',
    },
  },
  {
    breaks: 'a running request is not broken off for a newcomer',
    file: 'packages/gateway/src/connections/full-listener.ts',
    from: '    this.#wake(place.address, socket)\n    response',
    to: '    response',
    caught: {
      by: 'packages/gateway/test/full-listener.test.ts',
      test: 'a running request is never broken off: when every connection has one, the newcomer is closed',
    },
  },
  {
    breaks: 'a refused connection takes nobody’s place',
    file: 'packages/gateway/src/connections/full-listener.ts',
    from: '    if (socket.destroyed) return\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/full-listener.test.ts',
      test: 'a connection that another limit refuses takes nobody’s place',
    },
  },
  {
    breaks: 'a stop waits for no connection without a request',
    file: 'packages/gateway/src/connections/full-listener.ts',
    from: '    setTimeout(() => listener.endIdle(), ARRIVING_MS).unref()\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/full-listener.test.ts',
      test: 'a listener that closes waits for a running request, and for no connection without one',
    },
  },
  {
    breaks: 'a full public listener makes room',
    file: 'packages/gateway/src/gateway.ts',
    from: '  makeRoom(app, clientAddress, maxConnections)\n',
    to: '',
    caught: {
      by: 'test/rules/limits.test.ts',
      test: 'a full public listener takes a newcomer in for the idlest connection',
    },
  },
  {
    breaks: 'a full private listener makes room',
    file: 'packages/server/src/private/admin-listener.ts',
    from: '  makeRoom(app, clientAddress, maxConnections)\n',
    to: '',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'a full private listener takes a newcomer in for the idlest connection',
    },
  },
  {
    breaks: 'long requests leave the kept places of the private listener',
    file: 'packages/server/src/private/kept-places.ts',
    from: 'running.reports + running.work < maxConnections - kept',
    to: 'running.reports + running.work < maxConnections',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'long requests leave places for health checks, metrics and the console, and are refused with 503 beyond theirs',
    },
  },
  {
    breaks: 'all that runs on the private listener leaves a place for health checks',
    file: 'packages/server/src/private/kept-places.ts',
    from: 'isFull() || hasTooMany',
    to: 'hasTooMany',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'all that runs together leaves a place for health checks and metrics, from 25 places on',
    },
  },
  {
    breaks: 'a request that has ended gives back its place of the private listener',
    file: 'packages/server/src/private/kept-places.ts',
    from: '      running[kind]--\n',
    to: '',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'long requests leave places for health checks, metrics and the console, and are refused with 503 beyond theirs',
    },
  },
  {
    breaks: 'what strangers send to the console leaves places of the private listener for calls',
    file: 'packages/server/src/private/kept-places.ts',
    from: 'running.console < open',
    to: 'true',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'what strangers send to the console and as reports leaves places for calls, health checks and metrics',
    },
  },
  {
    breaks: 'what strangers send as reports leaves places of the private listener for calls',
    file: 'packages/server/src/private/kept-places.ts',
    from: 'running.reports < open && mayRun.work()',
    to: 'mayRun.work()',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'what strangers send to the console and as reports leaves places for calls, health checks and metrics',
    },
  },
  {
    breaks: 'one client cannot take more places by other addresses of its block',
    file: 'packages/server/src/private/kept-places.ts',
    from: 'wideBlock(clientAddress.of(request))',
    to: 'clientAddress.of(request)',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'what strangers send to the console and as reports leaves places for calls, health checks and metrics',
    },
  },
  {
    breaks: 'one address holds no more than its part of the console’s places',
    file: 'packages/server/src/private/kept-places.ts',
    from: 'ofSender >= mostOfAddress',
    to: 'ofSender >= open',
    caught: {
      by: 'packages/server/test/kept-places.test.ts',
      test: 'what strangers send to the console and as reports leaves places for calls, health checks and metrics',
    },
  },
]
