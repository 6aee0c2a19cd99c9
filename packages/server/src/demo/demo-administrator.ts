// The administrator of the demo clinic, for whom `serve --demo` prints a sign-in link to the console at each start.
import {
  createAdministrator,
  listAdministrators,
  makeSignInLink,
  signInAddress,
} from '@clinic-data/administration/administrators'
import type { Database } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'

const EMAIL = 'admin@demo.example'

/** Makes a link that signs in once. There is no other way in until a password is set, so each start prints a new one. */
export async function demoSignInLink(owner: Database, origin: string, now: Date): Promise<string> {
  const { clinic_id } = DEMO_CLINIC
  const known = await listAdministrators(owner, clinic_id)
  const administrator =
    known.find(({ email, disabled_at }) => email === EMAIL && disabled_at === null) ??
    (await createAdministrator(owner, { clinic_id, email: EMAIL, name: 'Demo administrator', now }))
  const { token } = await makeSignInLink(owner, { clinic_id, id: administrator.id, now })
  return signInAddress(origin, token)
}
