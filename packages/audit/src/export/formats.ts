// The formats in which an audit log is exported.
import { csv } from './csv.ts'
import type { FormatName } from './entries.ts'
import type { Format } from './format.ts'
import { ndjson } from './ndjson.ts'
import { ocsf } from './ocsf.ts'

export const formats: Readonly<Record<FormatName, Format>> = { ndjson, csv, ocsf }

/** By the first line of a file. Null when it begins like none. */
export function formatOf(line: string): Format | null {
  const all = Object.values(formats)
  return all.find(({ heading }) => heading === line) ?? all.find((one) => !one.heading && one.proofIn(line)) ?? null
}
