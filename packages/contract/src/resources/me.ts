// What a key is: its clinic and its scopes.
import { choice, Id, list, named, object } from '../schema.ts'
import { allScopes } from '../scopes.ts'

export const Me = named('Me', object({ clinic_id: Id, scopes: list(choice(allScopes), allScopes.length) }), {
  clinic_id: 'carmel',
  scopes: ['patients:read', 'appointments:read'],
})
