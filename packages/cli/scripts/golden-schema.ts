// The golden file of `sc schema`.
import { schema } from '../src/command-line/schema.ts'

export const schemaFile = new URL('../golden/schema.json', import.meta.url)

export function schemaText(): string {
  return `${JSON.stringify(schema(), null, 2)}\n`
}
