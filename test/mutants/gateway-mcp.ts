// Mutants of the MCP server: who may call, what a tool shows, how long results are cut.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'whoever names an unknown revision of MCP is told the newest too',
    file: 'packages/gateway/src/mcp/protocol-answer.ts',
    from: 'const REVISIONS = [MCP_REVISION, ...',
    to: 'const REVISIONS: string[] = [...',
    caught: {
      by: 'test/mcp/server.test.ts',
      test: 'a client that names an unknown revision is told all of both generations',
    },
  },
  {
    breaks: 'a web page of another origin may not use the server',
    file: 'packages/gateway/src/mcp/allowed-address.ts',
    from: 'if (origin !== undefined && !origins.has(origin))',
    to: "if (origin === 'null' && !origins.has(origin))",
    caught: {
      by: 'test/mcp/server.test.ts',
      test: 'a web page of another origin, and a foreign host name, are refused',
    },
  },
  {
    breaks: 'a page cannot reach the server under a name of its own',
    file: 'packages/gateway/src/mcp/allowed-address.ts',
    from: 'if (!hosts.has(host.toLowerCase()',
    to: 'if (origin !== undefined && !hosts.has(host.toLowerCase()',
    caught: {
      by: 'test/mcp/server.test.ts',
      test: 'a web page of another origin, and a foreign host name, are refused',
    },
  },
  {
    breaks: 'a tool call has the deadline of a request',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: 'edge.deadline.start(reply, observed.startedAt)',
    to: 'edge.deadline.start(reply, Number.POSITIVE_INFINITY)',
    caught: { by: 'test/rules/deadline.test.ts' },
  },
  {
    breaks: 'every message of a batch counts against the limit of the key',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: 'for (let more = 1; more < messages.length; more++) await admit(edge, principal, request, reply)',
    to: '',
    caught: {
      by: 'test/mcp/hostile.test.ts',
      test: 'a batch counts once per message, and holds at most as many messages as a key may run at once',
    },
  },
  {
    breaks: 'a batch holds at most as many messages as a key may run at once',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: 'if (messages.length > MOST_MESSAGES)',
    to: 'if (messages.length > 2 * MOST_MESSAGES)',
    caught: {
      by: 'test/mcp/hostile.test.ts',
      test: 'a batch counts once per message, and holds at most as many messages as a key may run at once',
    },
  },
  {
    breaks: 'REST and MCP share the rate limit of a key',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: '    await admit(edge, principal, request, reply)\n    if (request.method',
    to: "    await admit(edge, { ...principal, key_id: 'mcp' }, reply)\n    if (request.method",
    caught: { by: 'test/mcp/server.test.ts', test: 'REST and MCP share the rate limit of a key' },
  },
  {
    breaks: 'an audit row says that a call came over MCP',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: "surface: 'mcp',",
    to: "surface: 'rest',",
    caught: {
      by: 'test/mcp/tools.test.ts',
      test: 'each tool call leaves an audit row that names MCP, and no log line names the request',
    },
  },
  {
    breaks: 'a key sees only the tools of its scopes',
    file: 'packages/gateway/src/mcp/mcp-tool.ts',
    from: '(scope === null || scopes.includes(scope) ? [definition] : [])',
    to: '(scope === null || scopes.length > 0 ? [definition] : [])',
    caught: {
      by: 'test/mcp/tools.test.ts',
      test: "each set of scopes sees the tools of its scopes, in the contract's order",
    },
  },
  {
    breaks: 'the list of tools of one key is not shown to another',
    file: 'packages/gateway/src/mcp/plain-message.ts',
    from: '[is2026, frame.before, ...principal.scopes].join()',
    to: '[is2026, frame.before, ...principal.scopes.slice(0, 1)].join()',
    caught: {
      by: 'test/mcp/tools.test.ts',
      test: "each set of scopes sees the tools of its scopes, in the contract's order",
    },
  },
  {
    breaks: 'the list of tools for a client of 2025 has no member of 2026',
    file: 'packages/gateway/src/mcp/plain-message.ts',
    from: '[is2026, frame.before, ...principal.',
    to: '[frame.before, ...principal.',
    caught: {
      by: 'test/mcp/server.test.ts',
      test: 'a client of 2025 gets no member that only 2026 has, whether it reads streams or not, and after a client of 2026',
    },
  },
  {
    breaks: 'the result of a tool for a client of 2025 has no member of 2026',
    file: 'packages/gateway/src/mcp/plain-message.ts',
    from: 'is2026 ? members + END_OF_CALL : members',
    to: 'members + END_OF_CALL',
    caught: {
      by: 'test/mcp/server.test.ts',
      test: 'a client of 2025 gets no member that only 2026 has, whether it reads streams or not, and after a client of 2026',
    },
  },
  {
    breaks: 'headers that contradict the body are refused',
    file: 'packages/gateway/src/mcp/plain-message.ts',
    from: "headers['mcp-method'] !== method || headers['mcp-name'] !== name || !isObject(_meta)",
    to: "headers['mcp-method'] !== method || !isObject(_meta)",
    caught: { by: 'test/mcp/plain-messages.test.ts' },
  },
  {
    breaks: 'a message that is not plain goes to the library',
    file: 'packages/gateway/src/mcp/plain-message.ts',
    from: 'if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return false\n',
    to: '',
    caught: { by: 'test/mcp/plain-messages.test.ts' },
  },
  {
    breaks: "a model sees no invisible character of a patient's text",
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: 'text: visibleJson(String(body))',
    to: 'text: String(body)',
    caught: { by: 'test/mcp/patients-words.test.ts' },
  },
  {
    breaks: 'a list that has changed is not continued',
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: 'if (after && digestOf(list[from - 1]) !== after.digest) throw changed()\n',
    to: '',
    caught: {
      by: 'test/mcp/long-results.test.ts',
      test: 'a whole list is cut at a row and continues with its own cursor until it changes',
    },
  },
  {
    breaks: 'a list goes on at the row after the last one shown',
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: 'const rows = thinned(list.slice(from), fields)',
    to: 'const rows = thinned(list.slice(Math.max(0, from - 1)), fields)',
    caught: {
      by: 'packages/gateway/test/tool-result.test.ts',
      test: 'the parts of a cut list hold each row once, and each audit row names the rows of its part',
    },
  },
  {
    breaks: 'a result holds at most forty thousand characters',
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: 'return text.length <= TOOL_RESULT_CHARACTERS',
    to: 'return text.length <= 2 * TOOL_RESULT_CHARACTERS',
    caught: {
      by: 'packages/gateway/test/tool-result.test.ts',
      test: 'the parts of a cut list hold each row once, and each audit row names the rows of its part',
    },
  },
  {
    breaks: 'the last part of a list has no cursor',
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: 'const whole = show(rows.length, after ? { next_cursor: null } : {})',
    to: 'const whole = show(rows.length, {})',
    caught: {
      by: 'test/mcp/long-results.test.ts',
      test: 'a whole list is cut at a row and continues with its own cursor until it changes',
    },
  },
  {
    breaks: 'an audit row names the rows that a cut result showed, and no others',
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: 'const audited = path.length === 1 ? auditedIn(list.slice(from, from + count)) : result.audited',
    to: 'const audited = result.audited',
    caught: {
      by: 'packages/gateway/test/tool-result.test.ts',
      test: 'the parts of a cut list hold each row once, and each audit row names the rows of its part',
    },
  },
  {
    breaks: 'a text that was cut says so',
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: '.toWellFormed()}… [cut:',
    to: '.toWellFormed()}… [',
    caught: {
      by: 'test/mcp/long-results.test.ts',
      test: 'a single row that is too long has its texts cut and says so',
    },
  },
  {
    breaks: 'only the fields that were asked for are shown',
    file: 'packages/gateway/src/mcp/tool-result.ts',
    from: 'fields.includes(name))))',
    to: "fields.includes(name) || name === 'id')))",
    caught: {
      by: 'packages/gateway/test/tool-result.test.ts',
      test: 'rows hold the fields that were asked for and no other',
    },
  },
  {
    breaks: 'a field that only detailed rows have is refused for others',
    file: 'packages/gateway/src/mcp/tool-arguments.ts',
    from: 'missing.length > 0',
    to: 'missing.length > 1',
    caught: { by: 'test/mcp/tools.test.ts' },
  },
  {
    breaks: 'an argument that a tool does not take is refused',
    file: 'packages/gateway/src/mcp/tool-arguments.ts',
    from: '    addParameterFaults(checkNames(toolArguments, grant.clinic), faults)\n',
    to: '',
    caught: { by: 'test/mcp/tools.test.ts' },
  },
  {
    breaks: 'a refusal names the ids of its arguments in the audit log',
    file: 'packages/gateway/src/mcp/contract-tools.ts',
    from: 'call({ ...caller, named: namedIn(toolArguments, tool.path_arguments) }',
    to: 'call({ ...caller, named: {} }',
    caught: {
      by: 'test/mcp/tools.test.ts',
      test: 'each tool call leaves an audit row that names MCP, and no log line names the request',
    },
  },
  {
    breaks: 'an empty list says in words which filter names nothing',
    file: 'packages/gateway/src/mcp/contract-tools.ts',
    from: 'warnings.length > 0 ? warnings : emptyQuery(tool, text)',
    to: 'emptyQuery(tool, text)',
    caught: { by: 'test/rules/unknown-ids.test.ts', test: 'a model reads in words why a list is empty' },
  },
  {
    breaks: "the day of a session is the clinic's",
    file: 'packages/gateway/src/mcp/instructions.ts',
    from: 'zonedInstant(new Date(now), timeZone, 3)',
    to: "zonedInstant(new Date(now), timeZone && 'UTC', 3)",
    caught: { by: 'test/mcp/instructions.test.ts', test: 'no client keeps the day beyond midnight in the clinic' },
  },
  {
    breaks: 'no client keeps the day beyond midnight in the clinic',
    file: 'packages/gateway/src/mcp/mcp-server.ts',
    from: 'Math.min(LIST_MS, validMs)',
    to: 'Math.max(LIST_MS, validMs)',
    caught: { by: 'test/mcp/instructions.test.ts', test: 'no client keeps the day beyond midnight in the clinic' },
  },
  {
    breaks: "a clinic's name cannot add a line to the instructions",
    file: 'packages/gateway/src/mcp/instructions.ts',
    from: "visibleText(name).replace(/\\s+/g, ' ')",
    to: 'visibleText(name)',
    caught: { by: 'test/mcp/instructions.test.ts' },
  },
]
