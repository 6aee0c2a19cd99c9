// Mutants of the prompts and resources of the MCP server, and of the list of tools.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a key is offered the prompts whose tools it may use',
    file: 'packages/gateway/src/mcp/prompts.ts',
    from: 'steps.find((step) => !step.isExtra && !isOpen(toolOf(step), caller))',
    to: 'steps.find((step) => step.isExtra && !isOpen(toolOf(step), caller))',
    caught: { by: 'test/mcp/prompts.test.ts' },
  },
  {
    breaks: 'a prompt names no tool that the key may not use',
    file: 'packages/gateway/src/mcp/prompts.ts',
    from: 'steps.filter((step) => isOpen(toolOf(step), caller))',
    to: 'steps.filter((step) => step.isExtra || isOpen(toolOf(step), caller))',
    caught: { by: 'test/mcp/prompts.test.ts' },
  },
  {
    breaks: 'the name of a branch adds no line to a prompt',
    file: 'packages/gateway/src/mcp/prompts.ts',
    from: "visibleText(text.slice(0, MAX.name)).replace(/\\s+/g, ' ').trim()",
    to: 'text.slice(0, MAX.name).trim()',
    caught: {
      by: 'test/mcp/prompts.test.ts',
      test: 'the name of a branch adds no line to a prompt, and nothing invisible',
    },
  },
  {
    breaks: "a prompt begins on the clinic's day",
    file: 'packages/gateway/src/mcp/prompts.ts',
    from: '(localTime(now, time_zone) ?? new Date(now))',
    to: "(localTime(now, time_zone && 'UTC') ?? new Date(now))",
    caught: {
      by: 'test/mcp/prompts.test.ts',
      test: "a prompt begins on the clinic's day, and its week on the clinic's first day of the week",
    },
  },
  {
    breaks: 'a resource is listed for keys of its scope alone',
    file: 'packages/gateway/src/mcp/resources.ts',
    from: '(isOpen(one.scope, caller) ? [one.listing] : [])',
    to: '(isOpen(one.scope, caller) || one.scope !== null ? [one.listing] : [])',
    caught: {
      by: 'test/mcp/resources.test.ts',
      test: 'each set of scopes sees the resources of its scopes, and is refused the others with a row',
    },
  },
  {
    breaks: 'the guide to the datasets is refused without its scope, with a row',
    file: 'packages/gateway/src/mcp/resources.ts',
    from: 'text: (caller) => (isOpen(tool.scope, caller) ? datasetGuide() : readByTool(tool, {}, caller)),',
    to: 'text: datasetGuide,',
    caught: { by: 'test/mcp/resources.test.ts' },
  },
  {
    breaks: 'an app is told by HTTP which scope a prompt needs',
    file: 'packages/gateway/src/mcp/prompts.ts',
    from: "  observed.lacking = new Problem('forbidden', detail, { required_scope: scope })\n",
    to: '',
    caught: {
      by: 'test/rules/challenges.test.ts',
      test: 'a prompt or a resource without its scope is a 403 for a token too',
    },
  },
  {
    breaks: 'an app is told by HTTP which scope it lacks also where the answer is a stream',
    file: 'packages/gateway/src/mcp/mcp-route.ts',
    from: 'await whole(await library.fetch(webRequest, { parsedBody: body }))',
    to: 'await library.fetch(webRequest, { parsedBody: body })',
    caught: {
      by: 'test/rules/challenges.test.ts',
      test: 'a prompt or a resource without its scope is a 403 for a token too',
    },
  },
  {
    breaks: 'a tool of one resource names its fields, those of the detailed form too',
    file: 'packages/contract/src/projections/tools.ts',
    from: 'function fieldsOfOne({ output, detailed }: Operation): Record<string, JsonSchema> {\n  const { data } = jsonSchemaOf(detailed ?? output)',
    to: 'function fieldsOfOne({ output }: Operation): Record<string, JsonSchema> {\n  const { data } = jsonSchemaOf(output)',
    caught: { by: 'packages/contract/test/names.test.ts' },
  },
  {
    breaks: 'a kept list of tools answers the message with its id alone',
    file: 'packages/gateway/src/mcp/tool-lists.ts',
    from: 'const key = [encoding, end, name].join()',
    to: 'const key = [encoding, name].join()',
    caught: {
      by: 'test/mcp/plain-messages.test.ts',
      test: 'a list of tools is the same however it is compressed, whatever the id of its message',
    },
  },
  {
    breaks: 'a model is told that a zero may come from a name in the place of an id',
    file: 'packages/gateway/src/mcp/contract-tools.ts',
    from: 'text.includes(\'"group_count":0,\') ? [NO_RECORDS] : []',
    to: "text === '' ? [NO_RECORDS] : []",
    caught: { by: 'test/rules/unknown-ids.test.ts' },
  },
  {
    breaks: 'a prompt asks for full pages',
    file: 'packages/gateway/src/mcp/clinic-prompts.ts',
    from: "direction: 'inbound',\n        limit: MOST,",
    to: "direction: 'inbound',",
    caught: { by: 'test/mcp/prompts.test.ts' },
  },
]
