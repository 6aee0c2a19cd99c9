// Writes the row of docs/ingest.md that lists the operations of reference data. Run by `npm run golden`; a test compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { catalogOperations } from '../src/ingest/catalog.ts'

const page = new URL('../../../docs/ingest.md', import.meta.url)

/** The whole page. */
export function ingestPage(): string {
  const paths = catalogOperations.map(({ path }) => `\`${path}\``).join(', ')
  return readFileSync(page, 'utf8').replace(
    /^\| .* \| none: reference data \|$/m,
    () => `| ${paths} | none: reference data |`,
  )
}

if (import.meta.main) writeFileSync(page, ingestPage())
