// The golden files: every projection as text, so that a change of the contract is reviewed where its effects show.

import { forGenerators } from '../src/generators/openapi-shapes.ts'
import { analyticsGuide } from '../src/projections/analytics-guide.ts'
import { commands } from '../src/projections/commands.ts'
import { openapi } from '../src/projections/openapi.ts'
import { tools } from '../src/projections/tools.ts'

export const goldenFolder = new URL('../golden/', import.meta.url)

/** The base address in the golden document: a reserved name that belongs to nobody. */
export const GOLDEN_BASE_URL = 'https://api.clinic-data.example'

/** The text of each golden file by its name in the folder. The page on the datasets goes into the documentation. */
export function goldenFiles(): Record<string, string> {
  const projections = { openapi: forGenerators(openapi(GOLDEN_BASE_URL)), tools: tools(), commands: commands() }
  const files = Object.entries(projections).map(([name, value]) => [
    `${name}.json`,
    `${JSON.stringify(value, null, 2)}\n`,
  ])
  return { ...Object.fromEntries(files), '../../../docs/analytics.md': analyticsGuide() }
}
