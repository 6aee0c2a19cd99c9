// A key's own facts: its clinic and its scopes.
import { about, choice, Id, list, named, object } from '../schema.ts'
import { allScopes } from '../scopes.ts'

export const Me = named(
  'Me',
  object({
    clinic_id: about('The clinic that the key opens.', Id),
    scopes: list(choice(allScopes), allScopes.length, { description: 'What the key may do.' }),
  }),
  {
    clinic_id: 'carmel',
    scopes: ['patients:read', 'appointments:read'],
  },
)
