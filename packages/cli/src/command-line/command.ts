// Describes a command of `sc`: the contract's projection plus what the client adds.
import type { CommandOption, Command as ProjectedCommand } from '@clinic-data/contract/projections/commands'

export type { CommandArgument } from '@clinic-data/contract/projections/commands'
export type { ProjectedCommand }

export interface CliOption extends Omit<CommandOption, 'in' | 'fills' | 'type'> {
  /** The parameter, field or header that it fills. Null for an option that the client itself handles. */
  fills: string | null
  in: CommandOption['in'] | null
  /** A switch takes no value. */
  type: CommandOption['type'] | 'switch'
}

export interface CliCommand extends Omit<ProjectedCommand, 'operation' | 'endpoint' | 'options'> {
  /** Null for a command of the client's own. */
  operation: string | null
  endpoint: string | null
  options: readonly CliOption[]
}

/** An option of the client's own. */
export function ownOption(
  flag: string,
  type: CliOption['type'],
  description: string,
  more: Partial<Pick<CliOption, 'short' | 'value' | 'choices' | 'repeatable' | 'default'>> = {},
): CliOption {
  return {
    flag,
    value: type === 'switch' ? '' : flag,
    type,
    fills: null,
    in: null,
    required: false,
    repeatable: false,
    description,
    ...more,
  }
}

/** Whether a command reads a list page by page. */
export function isPaged({ options }: Pick<ProjectedCommand, 'options'> | CliCommand): boolean {
  return options.some(({ fills }) => fills === 'cursor')
}

export const formats = ['table', 'csv', 'json', 'agents'] as const

export type Format = (typeof formats)[number]

/** Errors are JSON then, too. */
export function isJson(format: Format): boolean {
  return format === 'json' || format === 'agents'
}

/** The options that every command takes. */
export const globalOptions: readonly CliOption[] = [
  ownOption(
    'format',
    'string',
    'How the answer is printed: for people, as CSV for a spreadsheet, as JSON, or as one line of JSON for agents.',
    {
      choices: formats,
      default: 'table',
    },
  ),
  ownOption('columns', 'string', 'Show these columns of a table or of CSV, in this order: start,patient,status.name.', {
    value: 'a,b',
  }),
  ownOption('fields', 'string', 'Keep only these fields of each row, as JSON: id,start,patient.id.', { value: 'a,b' }),
  ownOption('wide', 'switch', 'Show every column of a table, ids included, and do not cut lines.'),
  ownOption('profile', 'string', 'Use the key and address of this profile, whatever SC_API_KEY and SC_BASE_URL say.', {
    value: 'name',
  }),
  ownOption('no-retry', 'switch', 'Do not retry after 429, 500, 502 or 503.'),
]
