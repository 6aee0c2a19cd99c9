// Owners as providers of managed databases make them. With the owner's address alone the service starts, answers with a login that row
// level security binds, and `clinicd doctor` finds no fault.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asking, newSecretKey, plainOwner, servers } from '@clinic-data/testing/programs/plain-server'
import { operator } from '@clinic-data/testing/shared/operator'
import { answersAs, serving } from './plain-owner.ts'

/** An administrator of the server has done this to the role `plain`. */
const OWNERS = {
  'whom row level security does not bind': 'alter role plain bypassrls',
  'who may read, write and watch everything':
    'grant pg_read_all_data, pg_write_all_data, pg_monitor, pg_signal_backend to plain',
  'who is a member of the group that owns the database':
    'create role owners; grant owners to plain; alter database clinic owner to owners',
}

for (const [version, { skip, start }] of Object.entries(servers)) {
  describe(version, { skip }, () => {
    for (const [owner, statements] of Object.entries(OWNERS)) {
      test(`an owner ${owner} serves alone`, async (t) => {
        const { superUrl, url, stop } = await plainOwner(start)
        t.after(stop)
        await asking(superUrl, (admin) => admin.maintain((tx) => tx.script(statements)))
        const environment = { DATABASE_URL: url, SECRET_KEYS: newSecretKey('a') }
        const login = await serving(environment, (address) => answersAs(superUrl, url, address))
        assert.match(login, /^clinic_data_app_/)
        const { code, out } = await operator.run(['doctor', '--json'], { ...environment, PORT: '0', ADMIN_PORT: '0' })
        assert.equal(code, 0, out)
      })
    }
  })
}
