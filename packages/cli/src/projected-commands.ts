// The commands that the contract projects. In the bundle a file of its own stands in the place of the import, read when a command is
// meant: to show their names takes no more than the outline.
import projected from '@clinic-data/contract/commands.json' with { type: 'json' }
import type { ProjectedCommand } from './command.ts'

export type Outlined = Pick<ProjectedCommand, 'path' | 'summary'>

export const projectedOutline: readonly Outlined[] = projected.map(({ path, summary }) => ({ path, summary }))

export function projectedCommands(): readonly ProjectedCommand[] {
  return projected as readonly ProjectedCommand[]
}
