// A reader sets one variable for the base address and one for the key, wherever he reads.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { allOperations } from '@clinic-data/contract'
import { codeSamples } from '@clinic-data/contract/projections/code-samples'
import { guide } from '@clinic-data/contract/projections/guide'

const root = dirname(import.meta.dirname)
const files = globSync(
  '{README.md,{docs,examples}/*.{md,mjs},packages/*/README.md,packages/gateway/src/reference/*.md}',
  {
    cwd: root,
  },
)
const texts = new Map([
  ...files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const),
  ['the guides', guide('https://api.clinic.example')],
  ...allOperations.map(
    (one) =>
      [
        one.id,
        codeSamples(one)
          .map(({ source }) => source)
          .join('\n'),
      ] as const,
  ),
])

/** A variable that a shell, Node.js or Python reads or sets. */
const VARIABLE = [
  /\$\{?(?:env:)?([A-Z][A-Z0-9_]+)/g,
  /\bexport ([A-Z][A-Z0-9_]+)=/g,
  /\bprocess\.env\.([A-Z][A-Z0-9_]+)/g,
  /\benviron\[["']([A-Z][A-Z0-9_]+)/g,
]

/** Words of another meaning: what the backend's port, not the API, is reached with. */
const OF_THE_PORT = ['CLINIC_KEY', 'OTHER_CLINIC_KEY', 'BACKEND_URL', 'BACKEND_TOKEN', 'SECRET_KEYS', 'KEY_HASH']

function variablesOf(text: string): string[] {
  const taken = [...text.matchAll(/\{([^{}]*)\} = process\.env/g)].flatMap(
    ([, names = '']) => names.match(/\b[A-Z][A-Z0-9_]+/g) ?? [],
  )
  return [...taken, ...VARIABLE.flatMap((form) => [...text.matchAll(form)].map(([, name = '']) => name))]
}

test('the base address is SC_BASE_URL and the key SC_API_KEY in every document, sample and example', () => {
  const found = [...texts].flatMap(([place, text]) => variablesOf(text).map((name) => ({ place, name })))
  const others = found.filter(
    ({ name }) =>
      /URL|ADDRESS|HOST|ENDPOINT|KEY/.test(name) && !['SC_BASE_URL', 'SC_API_KEY', ...OF_THE_PORT].includes(name),
  )
  assert.deepEqual(others, [])
  for (const name of ['SC_BASE_URL', 'SC_API_KEY'])
    assert.ok(found.filter((one) => one.name === name).length > allOperations.length, name)
})
