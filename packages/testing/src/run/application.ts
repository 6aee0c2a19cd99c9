// Opens a test database like the application does, with a login that every database of the server accepts.
import assert from 'node:assert/strict'

/** The options of `openDatabase`: requests run as the application, the audit log is written as the owner. */
export function asApplication(ownerUrl: string): { url: string; ownerUrl: string } {
  const url = new URL(ownerUrl)
  const { username, password } = new URL(
    process.env.TEST_APP_DATABASE_URL ?? assert.fail('run the tests with npm test'),
  )
  Object.assign(url, { username, password })
  return { url: url.href, ownerUrl }
}
