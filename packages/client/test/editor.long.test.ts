// Tests what an editor shows of the client: every method, its arguments and every field carry their documentation.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { allOperations } from '@clinic-data/contract'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { argumentName } from '@clinic-data/contract/names'
import { Patient } from '@clinic-data/contract/resources/patient'
import { type LanguageServer, languageServer } from './language-server.ts'

const generated = readFileSync(join(import.meta.dirname, '../src/generated/resources.ts'), 'utf8')
const imports = `import { ClinicDataClient, type Patient } from '../src/client.ts'\n`

let editor: LanguageServer
before(async () => {
  editor = await languageServer(import.meta.dirname)
})
after(() => editor.close())

/** Returns what is shown of the last word of each line. */
function shown(lines: readonly string[]): Promise<string[]> {
  const places = lines.map((line, at) => ({ line: at + 2, character: line.length - 1 }))
  return editor.hovers(
    `${imports}declare const client: ClinicDataClient, patient: Patient\n${lines.join('\n')}\n`,
    places,
  )
}

/** The documentation behind the declaration, without its code. */
function documentation(hover: string): string {
  return hover.replace(/^```[\s\S]*?\n```/, '').trim()
}

test('an editor shows what each method does, takes, throws and answers, with an example', async () => {
  const hovers = await shown(allOperations.map(({ id }) => `client.${id}`))
  for (const [at, operation] of allOperations.entries()) {
    const text = documentation(hovers[at] ?? '')
    const ids = Object.keys(operation.ids).map((name) => argumentName(operation, name))
    for (const expected of [operation.summary, operation.description, operation.path]) {
      assert.ok(text.includes(expected), `${operation.id} does not show ${expected}: ${text}`)
    }
    for (const name of [...ids, 'input', 'options']) assert.match(text, new RegExp(`\`${name}\`.+\\w`), operation.id)
    for (const tag of ['@returns', '@throws', '@example']) assert.ok(text.includes(tag), `${operation.id} ${tag}`)
  }
})

test('an editor shows what every field of every resource and input means', async () => {
  // Each line of a field in the generated types, asked at its name.
  const places = generated.split('\n').flatMap((text, line) => {
    const indent = /^ +(?=[\w']+\??: )/.exec(text)?.[0].length
    return indent === undefined ? [] : [{ line, character: indent }]
  })
  assert.ok(places.length > 400, String(places.length))
  const hovers = await editor.hovers(generated, places)
  const silent = places.filter((_, at) => documentation(hovers[at] ?? '') === '')
  assert.deepEqual(
    silent.map(({ line }) => generated.split('\n')[line]?.trim()),
    [],
  )
})

test("a field's documentation is the contract's, and a list says that it can be awaited and walked", async () => {
  const [field = '', list = ''] = await shown(['patient.phone', 'client.patients.list'])
  assert.ok(documentation(field).includes(jsonSchemaOf(Patient).properties?.phone?.description ?? 'none'), field)
  assert.match(list, /Pages<Patient/)
  assert.match(documentation(list), /`await` it for one page, or walk the rows/)
})
