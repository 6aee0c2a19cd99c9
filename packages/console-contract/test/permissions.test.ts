// Compares the console's tables of roles, proofs and approvals with their golden file: no test that loops over a table sees that it was loosened.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { permissionsFile, permissionsText } from '../scripts/golden-permissions.ts'

test('golden/permissions.txt says who may call what, with which proof, and what a second person approves', () => {
  assert.equal(permissionsText(), readFileSync(permissionsFile, 'utf8'), 'run `npm run golden`, review the change')
})
