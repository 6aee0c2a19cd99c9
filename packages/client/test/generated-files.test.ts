// The client's generated files match the contract.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { Operations } from '@clinic-data/contract/operations'
import type { Static, TSchema } from '@clinic-data/contract/schema'
import { compiledDeclarations, goldenFolder } from '../scripts/declarations.ts'
import { generatedFiles, sourceFolder } from '../scripts/generated-files.ts'
import type { Open } from '../src/generated/resources.ts'
import type { InputOf, OutputOf } from '../src/method.ts'
import type { OperationId } from '../src/operation-record.ts'
import { VERSION } from '../src/version.ts'

for (const [name, text] of Object.entries(generatedFiles())) {
  test(`${name} is what the contract projects today`, () => {
    const isSame = readFileSync(join(sourceFolder, name), 'utf8') === text
    assert.ok(isSame, `src/${name} is not the contract's: run \`npm run golden\`, review the change`)
  })
}

test('the declarations that are published are those of the code', () => {
  const golden = readdirSync(goldenFolder).map((name) => [name, readFileSync(join(goldenFolder, name), 'utf8')])
  const differ = 'golden/*.d.ts differ: run `npm run golden` and read the change, which is public'
  assert.deepEqual(Object.fromEntries(golden), compiledDeclarations(), differ)
})

test('the client reports the version of its package', () => {
  const manifest = JSON.parse(readFileSync(join(sourceFolder, '..', 'package.json'), 'utf8'))
  assert.equal(VERSION, manifest.version)
})

type Of<Schema> = NonNullable<Schema> extends TSchema ? Static<NonNullable<Schema>> : never
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
/** An answer of a later service may hold other values. */
type Opened<T> = T extends string
  ? string extends T
    ? T
    : Open<T>
  : T extends object
    ? { [K in keyof T]: Opened<T[K]> }
    : T
/** A program may give undefined for what is optional. It is not sent. */
type Sent<T> = T extends (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [K in keyof T]: Sent<T[K]> | (object extends Pick<T, K> ? undefined : never) }
    : T
/** The contract leaves the `data` of events open. */
type Others = Exclude<OperationId, 'events.list'>
type WithBody = { [I in Others]: keyof Of<Operations[I]['body']> extends never ? never : I }[Others]
type Wrong = {
  [I in Others]: Operations[I]['shape'] extends 'none'
    ? Same<OutputOf<I>, undefined> extends true
      ? never
      : I
    : Same<OutputOf<I>, Opened<Of<Operations[I]['output']>>> extends true
      ? never
      : I
}[Others]
/** The client takes a list where the contract has texts with commas between. */
type Asking = Exclude<Others, WithBody | 'availability.list'>
type WrongInput =
  | { [I in WithBody]: Same<InputOf<I>, Sent<Of<Operations[I]['body']>>> extends true ? never : I }[WithBody]
  | {
      [I in Asking]: Same<keyof InputOf<I>, keyof Of<Operations[I]['query']>> extends true
        ? Same<InputOf<I>, Sent<Of<Operations[I]['query']>>> extends true
          ? never
          : I
        : keyof Of<Operations[I]['query']> extends never
          ? never
          : I
    }[Asking]

/** Does not compile while a type that is written differs from the contract's. */
export const theWrittenTypesAreTheContracts: [Same<Wrong, never>, Same<WrongInput, never>] = [true, true]
