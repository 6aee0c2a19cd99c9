// Key introspection: answered from the key itself.
import type { HandlersOf } from './handled.ts'

export const meHandlers: HandlersOf<'me.get'> = {
  'me.get': async ({ clinic, principal }) => ({
    data: { clinic_id: clinic.clinic_id, scopes: [...principal.scopes] },
  }),
}
