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
  more: Partial<Pick<CliOption, 'value' | 'choices' | 'repeatable' | 'default'>> = {},
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

export const formats = ['table', 'json', 'agents'] as const

export type Format = (typeof formats)[number]

/** The options that every command takes. */
export const globalOptions: readonly CliOption[] = [
  ownOption('format', 'string', 'How the answer is printed: for people, as JSON, or as one line of JSON for agents.', {
    choices: formats,
    default: 'table',
  }),
  ownOption('wide', 'switch', 'Show a table with every column, ids included, and cut no line.'),
  ownOption('no-retry', 'switch', 'Do not ask again after 429, 500, 502 or 503.'),
]
