// `resources/list` and `resources/read`: what a person hands to a model before the first question. The clinic's reference data is read
// by the tools that read it for a call; the guide's pages need no key anyway (docs/decisions/0132).
import { MAX, type OperationId, operations, type Scope } from '@clinic-data/contract'
import { toolNames } from '@clinic-data/contract/names'
import { datasetGuide } from '@clinic-data/contract/projections/analytics-guide'
import {
  type ProtocolError,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import type { ContractTool, Members, ToolCaller } from './mcp-tool.ts'
import { readByTool, toolNamed } from './read-by-tool.ts'

/** A page of the guide in Markdown. */
export interface GuidePage {
  readonly uri: string
  readonly title: string
  readonly description: string
  text(): string
}

export interface Resources {
  list(caller: ToolCaller): Resource[]
  read(uri: string, caller: ToolCaller): Promise<ReadResourceResult>
}

interface Readable {
  readonly listing: Resource
  /** Keys without it do not see the resource. */
  readonly scope: Scope | null
  text(caller: ToolCaller): string | Promise<string>
}

const JSON_TYPE = 'application/json'
const MARKDOWN = 'text/markdown'

export function resourcesOf(tools: readonly ContractTool[], guide: () => readonly GuidePage[]): Resources {
  const ofClinic = [...catalogs(tools), ...analytics(tools)]
  let pages: readonly Readable[] | undefined
  /** Made at the first request: nothing of the reference is made before somebody reads it. */
  const all = () => {
    pages ??= guide().map(pageOf)
    return [...ofClinic, ...pages]
  }
  return {
    list: (caller) => all().flatMap((one) => (isOpen(one.scope, caller) ? [one.listing] : [])),
    read: async (uri, caller) => {
      const found = all().find(({ listing }) => listing.uri === uri)
      if (found === undefined) throw notFound(uri)
      const { uri: known, mimeType } = found.listing
      return { contents: [{ uri: known, ...(mimeType && { mimeType }), text: await found.text(caller) }] }
    },
  }
}

function isOpen(scope: Scope | null, { principal }: ToolCaller): boolean {
  return scope === null || principal.scopes.includes(scope)
}

/** One for each kind of `catalog_list`. A long one ends with the cursor from which that tool goes on. */
function catalogs(tools: readonly ContractTool[]): Readable[] {
  const tool = toolNamed(tools, 'catalog_list')
  return Object.entries(toolNames.catalog_list ?? {}).map(([kind, id]) => {
    const { summary, description } = operations[id as OperationId]
    return readable(tool, { kind }, { uri: `clinic://catalog/${kind}`, title: summary, description })
  })
}

function analytics(tools: readonly ContractTool[]): Readable[] {
  const tool = toolNamed(tools, 'metrics_describe')
  const guide: Readable = {
    listing: {
      uri: 'clinic://analytics/guide',
      name: 'analytics/guide',
      title: 'Analytics: rules and datasets',
      description:
        'How query_run counts, sums and names days, and every dataset with its measures, dimensions and filters.',
      mimeType: MARKDOWN,
    },
    scope: tool.scope,
    // The tool refuses a key without its scope, and leaves the row of that.
    text: (caller) => (isOpen(tool.scope, caller) ? datasetGuide() : readByTool(tool, {}, caller)),
  }
  const description = 'What this key may use in query_run: the measures, dimensions and filters of each dataset.'
  return [guide, readable(tool, {}, { uri: 'clinic://analytics/datasets', title: 'Datasets', description })]
}

function readable(
  tool: ContractTool,
  toolArguments: Members,
  named: { uri: string; title: string; description: string },
): Readable {
  return {
    listing: { ...named, name: named.uri.slice('clinic://'.length), mimeType: JSON_TYPE },
    scope: tool.scope,
    text: (caller) => readByTool(tool, toolArguments, caller),
  }
}

function pageOf({ uri, title, description, text }: GuidePage): Readable {
  const { pathname } = new URL(uri)
  return { listing: { uri, name: pathname.slice(1), title, description, mimeType: MARKDOWN }, scope: null, text }
}

/** The protocol wants the address back. */
function notFound(uri: string): ProtocolError {
  return new ResourceNotFoundError(
    uri.slice(0, MAX.url).toWellFormed(),
    'There is no such resource. resources/list names them.',
  )
}
