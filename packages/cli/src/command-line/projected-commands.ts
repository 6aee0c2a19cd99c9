// The commands that the contract projects. The bundle replaces this import by a file that is read only when a command is needed:
// the outline is enough to show their names.
import projected from '@clinic-data/contract/commands.json' with { type: 'json' }
import type { ProjectedCommand } from './command.ts'

export type Outlined = Pick<ProjectedCommand, 'path' | 'aliases' | 'summary'>

export const projectedOutline: readonly Outlined[] = projected.map(({ path, aliases, summary }) => ({
  path,
  aliases,
  summary,
}))

export function projectedCommands(): readonly ProjectedCommand[] {
  return projected as readonly ProjectedCommand[]
}
