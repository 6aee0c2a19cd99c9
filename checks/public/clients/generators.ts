// The generators that are tried, in the rows of the table in `docs/clients.md`: with the version and the line that are run here, and the
// program of its first calls.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Generator {
  /** Also its folder here: `run.sh` runs the line, compiles the client and makes the calls. */
  readonly name: string
  readonly version: string
  /** The command that makes the client from the file `openapi.json`. */
  readonly line: string
  /** The program in the section of the page that is called after the generator: `run.sh` runs it too. Null if there is none. */
  readonly firstCalls: string | null
  /** The programs and files that it needs. */
  readonly needs: readonly string[]
}

/** A further generator has its row, its entry here, and its folder. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  'hey-api': [],
  'openapi-typescript': [],
  'oapi-codegen': ['go'],
  'openapi-generator-typescript-fetch': ['java'],
  'openapi-generator-go': ['java', 'go'],
  'openapi-python-client': ['python3'],
  'openapi-generator-java': ['javac', 'mvn'],
  'openapi-generator-php': ['java', 'php', '/usr/share/php/GuzzleHttp/autoload.php'],
  'openapi-generator-python': ['java', 'python3'],
}

const ROW = /^\| [^|]+ \| (?<name>[^|]+) \| (?<version>[^|]+) \| `(?<line>[^`]+)` \|$/gm
const FIRST_CALLS = /^### [^,\n]+, (?<name>.+)\n[\s\S]*?^```\w+\n(?<program>[\s\S]*?)^```$/gm
const page = readFileSync(join(import.meta.dirname, '../../../docs/clients.md'), 'utf8')

const firstCalls = new Map([...page.matchAll(FIRST_CALLS)].map(([, name = '', program = '']) => [name, program]))

export const generators: readonly Generator[] = [...page.matchAll(ROW)].map(({ groups = {} }) => {
  const { version = '', line = '' } = groups
  const name = groups.name?.replace(' ', '-') ?? ''
  const needs = NEEDS[name]
  if (!needs) throw new Error(`docs/clients.md names ${name}, which is not tried here`)
  const program = firstCalls.get(groups.name ?? '') ?? null
  return { name, version, line, firstCalls: program, needs }
})
