// A service, and `clinicd patients erase` beside it on the same database, for the tests of erasures.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { startParts } from '@clinic-data/testing/run/test-service'
import { operator } from '@clinic-data/testing/shared/operator'
import { OWN } from './two-patients.ts'

export async function eraseGround() {
  const { owner, ownerUrl } = await testDatabase()
  const service = await startParts()
  after(() => service.close())
  const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys(), DATA_DIR: '/nowhere' }
  const clinicd = (...argv: string[]) => operator.run(argv, environment)
  return {
    owner,
    service,
    clinicd,
    erase: async (clinic: Clinic, ...more: string[]): Promise<string> => {
      const result = await clinicd('patients', 'erase', OWN, '--clinic', clinic.clinic_id, ...more)
      assert.equal(result.code, 0, result.errors)
      return result.out
    },
  }
}
