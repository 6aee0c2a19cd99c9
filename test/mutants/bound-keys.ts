// Mutants of keys that are bound to networks.
import type { Mutant } from './mutant.ts'

const network = 'packages/contract/src/values/network.ts'
const inNetworks = {
  by: 'packages/contract/test/network.test.ts',
  test: 'an address lies in a network exactly when Node’s own list says so, also next to its edges',
}
const edge = 'packages/gateway/src/calls/edge.ts'
const doors = {
  by: 'test/bound-keys.test.ts',
  test: 'a bound key works from its networks, and elsewhere each door refuses it and says from where in a row',
}
const tokens = {
  by: 'packages/connect/test/tokens.test.ts',
  test: 'the tokens of a bound connection are taken from its networks alone, and elsewhere nothing is used up',
}
const console = {
  by: 'packages/administration/test/console-keys.test.ts',
  test: 'a key is bound to networks in one spelling each, and to fewer once no gateway lets it in from elsewhere',
}
const overHttp = {
  by: 'packages/server/test/port.test.ts',
  test: 'over HTTP: a key that is bound comes with its networks, asked for alone and with others',
}
const care = {
  by: 'packages/administration/test/care.test.ts',
  test: 'a change asks if it widens, and never if it narrows or only renames',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a network ends where its prefix says',
    file: network,
    from: 'const rest = BigInt(width - outer.prefix)',
    to: 'const rest = BigInt(width - outer.prefix + 1)',
    caught: inNetworks,
  },
  {
    breaks: 'an address lies in no network of the other family',
    file: network,
    from: 'return outer.width === width && outer.prefix <= prefix &&',
    to: 'return outer.prefix <= prefix &&',
    caught: {
      by: 'packages/contract/test/network.test.ts',
      test: 'an IPv4 client in the form of IPv6 is the IPv4 client, and nobody else lies in a network of the other family',
    },
  },
  {
    breaks: 'an IPv4 client in the form of IPv6 is the IPv4 client',
    file: network,
    from: 'return isMapped({ value, width })',
    to: 'return isMapped({ value, width: 0 })',
    caught: {
      by: 'packages/contract/test/network.test.ts',
      test: 'an IPv4 client in the form of IPv6 is the IPv4 client, and nobody else lies in a network of the other family',
    },
  },
  {
    breaks: 'a network with bits after its prefix is refused',
    file: network,
    from: 'BigInt.asUintN(width - prefix, value) !== 0n ||',
    to: '',
    caught: {
      by: 'packages/contract/test/network.test.ts',
      test: 'a network has one spelling, and every text that could mean another one is refused',
    },
  },
  {
    breaks: 'a larger network is wider than a smaller one',
    file: network,
    from: 'outer.prefix <= prefix && outer.value',
    to: 'outer.value',
    caught: {
      by: 'packages/contract/test/network.test.ts',
      test: 'networks are wider when somebody in them was in none of the former',
    },
  },
  {
    breaks: 'a bound key is refused elsewhere at every door',
    file: edge,
    from: 'return liesWithin(address, networks) ? null : addressNotAllowed(address)',
    to: 'return null',
    caught: doors,
  },
  {
    breaks: 'a refusal for the address has its row',
    file: edge,
    from: '  await edge.auditTrail.add({',
    to: '  void ({',
    caught: doors,
  },
  {
    breaks: 'whoever has stolen a bound key uses up nothing of its owner’s limit',
    file: edge,
    from: 'const id = refused === null ? limitedId(principal) :',
    to: 'const id = limitedId(principal) ?? (refused === null) ? limitedId(principal) :',
    caught: {
      by: 'test/bound-keys.test.ts',
      test: 'whoever uses it elsewhere uses up a limit of its own, and nothing of the key’s',
    },
  },
  {
    breaks: 'a key that was bound while a body came is refused',
    file: edge,
    from: 'if (request.observed.operation !== null) throw refused',
    to: 'if (request.observed.operation !== null) return',
    caught: {
      by: 'test/bound-keys.test.ts',
      test: 'a request whose body arrives after the key was bound to other networks stores nothing',
    },
  },
  {
    breaks: 'a message to MCP that is refused after its body came has its row',
    file: edge,
    from: 'await refuseElsewhere(edge, refused, principal, request)',
    to: 'throw refused',
    caught: {
      by: 'test/bound-keys.test.ts',
      test: 'a message to MCP whose body arrives after the key was bound to other networks is refused, with its row',
    },
  },
  {
    breaks: 'a gateway over HTTP says that it compares networks, when it asks alone',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: "[portHeaders.compares_networks]: '1',",
    to: '',
    caught: overHttp,
  },
  {
    breaks: 'a gateway over HTTP says that it compares networks, when it asks for several keys at once',
    file: 'packages/gateway/src/http-backend/call-group.ts',
    from: "    [portHeaders.compares_networks]: '1',\n    [portHeaders.contract]",
    to: '    [portHeaders.contract]',
    caught: overHttp,
  },
  {
    breaks: 'a gateway over HTTP says from where a file is opened',
    file: 'packages/gateway/src/http-backend/port-client.ts',
    from: 'if (clientAddress !== null) headers[portHeaders.client_address] = clientAddress',
    to: '',
    caught: {
      by: 'packages/server/test/port.test.ts',
      test: 'over HTTP: a file of a bound key opens from its networks, and elsewhere or from an unknown address it does not',
    },
  },
  {
    breaks: 'to a gateway that does not compare there is no bound key',
    file: 'packages/backend/src/port-calls.ts',
    from: 'const isUnguarded = principal?.networks !== undefined && !call.comparesNetworks',
    to: 'const isUnguarded = false',
    caught: {
      by: 'packages/backend/test/port-listener-calls.test.ts',
      test: 'to a gateway that would not compare its networks there is no bound key, alone or among other calls',
    },
  },
  {
    breaks: 'a link to a file opens from the networks of its key alone',
    file: 'packages/records/src/file-bytes.ts',
    from: "if (!liesWithin(address, row.networks)) return { state: 'elsewhere' }",
    to: '',
    caught: {
      by: 'packages/backend/test/files.test.ts',
      test: 'the file of a bound key is opened from its networks, elsewhere refused, and not at all where nobody says from where',
    },
  },
  {
    breaks: 'a link to a file of a bound key does not open where nobody says from where',
    file: 'packages/records/src/file-bytes.ts',
    from: "if (address === null) return { state: 'revoked' }",
    to: 'if (address === null) address = row.networks[0]?.split("/")[0] ?? ""',
    caught: {
      by: 'packages/backend/test/files.test.ts',
      test: 'the file of a bound key is opened from its networks, elsewhere refused, and not at all where nobody says from where',
    },
  },
  {
    breaks: 'the tokens of a bound connection are taken from its networks alone',
    file: 'packages/connect/src/tokens/exchange.ts',
    from: 'if (connection.networks !== null && !liesWithin(call.address, connection.networks)) {',
    to: 'if (connection.networks !== null && call.address === connection.networks[0]) {',
    caught: tokens,
  },
  {
    breaks: 'fewer networks hold everywhere at the answer',
    file: 'packages/administration/src/pages/key-page.ts',
    from: 'if (isBound) await wait(KEY_CACHE_MS)',
    to: '',
    caught: console,
  },
  {
    breaks: 'a key that may be used from more places asks who sits there',
    file: 'packages/administration/src/pages/key-page.ts',
    from: '|| (networks !== undefined && isWiderThan(networks, stored.networks))',
    to: '',
    caught: care,
  },
  {
    breaks: 'a connection that may be used from more places asks who sits there',
    file: 'packages/connect/src/connections/change-connection.ts',
    from: 'isWider = isLonger || isWiderThan(networks, stored.networks)',
    to: 'isWider = isLonger',
    caught: care,
  },
]
