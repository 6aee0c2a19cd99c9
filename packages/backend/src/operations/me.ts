// Key introspection: answered from the key itself.
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'

export function meHandlers({ now }: Pick<HandlerParts, 'now'>): HandlersOf<'me.get'> {
  return {
    'me.get': async ({ clinic, principal }) => {
      const { clinic_id, name = null, time_zone, currency, week_start } = clinic
      const facts = { name, time_zone, currency, week_start: WEEK_STARTS[week_start] }
      const today = zonedInstant(now(), time_zone, 0).slice(0, 'YYYY-MM-DD'.length)
      return { data: { clinic_id, scopes: [...principal.scopes], clinic: { ...facts, today } } }
    },
  }
}

const WEEK_STARTS = ['sunday', 'monday'] as const
