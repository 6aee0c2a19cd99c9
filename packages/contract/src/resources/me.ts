// A key's own facts: its clinic and its scopes.
import { MAX } from '../limits.ts'
import { about, choice, Id, LocalDate, list, named, nullable, object, Type, text } from '../schema/schema.ts'
import { allScopes } from '../scopes.ts'

export const Me = named(
  'Me',
  object({
    clinic_id: about('The clinic that the key opens.', Id),
    scopes: list(choice(allScopes), allScopes.length, { description: 'What the key may do.' }),
    clinic: Type.Optional(
      object(
        {
          name: nullable(text(MAX.name)),
          time_zone: text(MAX.code, { description: 'The IANA name of its time zone.' }),
          currency: text(3, { description: 'ISO 4217.' }),
          week_start: choice(['sunday', 'monday']),
          today: about('The day that it is there now.', LocalDate),
        },
        { description: 'The clinic itself. A backend of an earlier version leaves them out.' },
      ),
    ),
  }),
  {
    clinic_id: 'carmel',
    scopes: ['patients:read', 'appointments:read'],
    clinic: {
      name: 'Carmel Dental',
      time_zone: 'Asia/Jerusalem',
      currency: 'ILS',
      week_start: 'sunday',
      today: '2026-07-12',
    },
  },
)
