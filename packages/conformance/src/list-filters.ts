// The filters of lists, as data: the values that a row has for each, so that a list can be checked against its filters.

import type { Clinic } from '@clinic-data/contract'
import { foldName } from '@clinic-data/contract/folded-name'
import { normalPhone } from '@clinic-data/contract/phone'
import { type Row, textAt, valueAt } from './row.ts'
import { namedBy, sources } from './subjects.ts'

export interface Filter {
  /** The values under which the row is found. Null when the row does not show them. */
  of(row: Row, clinic: Clinic): readonly unknown[] | null
  /** Whether the asked value finds a row with these values, or null when either may be. By default it must be one of them. */
  finds?(wanted: unknown, values: readonly unknown[]): boolean | null
  /** A value to ask for, to find a row with these values. By default the first of them. */
  asks?(values: readonly unknown[]): unknown
}

const field = (...path: readonly string[]): Filter => ({
  of: (row) => {
    const value = valueAt(row, ...path)
    return value === null || value === undefined ? [] : [value]
  },
})

const reference = (kind: string): Filter => ({ of: (row) => namedBy(row, kind) })

/** Over both filters at once the days could go across New Year, so each is looked at alone. */
function birthday(holds: (wanted: string, day: string) => boolean): Filter {
  return {
    of: (row) => {
      const born = textAt(row, 'birth_date')
      return born === null ? [] : [born.slice('YYYY-'.length)]
    },
    finds: (wanted, [day]) => day !== undefined && holds(String(wanted), String(day)),
  }
}

export const listFilters: Readonly<Record<string, Filter>> = {
  ...Object.fromEntries(Object.keys(sources).map((kind) => [kind, reference(kind)])),
  direction: field('direction'),
  status: field('status'),
  source: field('source'),
  type: field('type'),
  category: field('category'),
  language: field('language'),
  event_type: field('event_type'),
  // A delivery does not show the record that its event tells of.
  record_id: { of: () => null },
  method_type: field('method_type'),
  is_handled: field('is_handled'),
  has_recording: field('recording', 'available'),
  transcript_status: field('transcript', 'status'),
  window_open: { of: (row) => [textAt(row, 'free_text_window_expires_at') !== null] },
  phone: {
    of: (row, { country }) => {
      const written = 'patient_phone' in row ? [textAt(row, 'patient_phone')] : contactsOf(row, 'phone')
      return written?.flatMap((phone) => (phone && normalPhone(phone, country)) || []) ?? null
    },
  },
  email: {
    of: (row) => contactsOf(row, 'email')?.flatMap((email) => email?.trim().toLowerCase() || []) ?? null,
  },
  // A lead shows no calls and messages.
  has_been_contacted: { of: () => null },
  birthday_from: birthday((wanted, day) => day >= wanted),
  birthday_to: birthday((wanted, day) => day <= wanted),
  // A patient shows none of the records of which these speak.
  last_visit_before: { of: () => null },
  last_visit_after: { of: () => null },
  has_future_appointment: { of: () => null },
  last_payment_before: { of: () => null },
  last_payment_after: { of: () => null },
  owes_more_than: {
    of: (row) => {
      const owed = valueAt(row, 'balance', 'amount')
      return typeof owed === 'number' ? [owed] : null
    },
    finds: (wanted, [owed]) => Number(owed) > Number(wanted),
    // A little less, so that the row is among those that are found.
    asks: ([owed]) => (Number(owed) > 0 ? Math.floor(Number(owed) / 2) : undefined),
  },
  query: {
    of: (row) => {
      const folded = foldName(`${textAt(row, 'first_name') ?? ''} ${textAt(row, 'last_name') ?? ''}`)
      return folded === '' ? [] : folded.split(' ')
    },
    finds: (wanted, parts) => {
      const words = foldName(String(wanted)).split(' ')
      if (words.every((word) => parts.some((part) => String(part).startsWith(word)))) return true
      return isInAnotherScript(parts.join(' '), words.join(' ')) ? null : false
    },
    asks: (parts) => parts.map((part) => Array.from(String(part)).slice(0, 3).join('')).join(' '),
  },
}

/** Whether the row belongs in a list with this filter. Null when the row does not show it, or either may be. */
export function finds(name: string, wanted: unknown, row: Row, clinic: Clinic): boolean | null {
  const filter = listFilters[name]
  const values = filter?.of(row, clinic) ?? null
  if (!filter || values === null) return null
  return filter.finds ? filter.finds(wanted, values) : values.includes(wanted)
}

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Hebrew}/u, /\p{Script=Arabic}/u, /\p{Script=Cyrillic}/u]

/** A backend may find such a name by its sound, and need not. In the same script it may only where no name begins so: each search here begins one. */
function isInAnotherScript(name: string, words: string): boolean {
  return SCRIPTS.some((script) => script.test(name) && !script.test(words))
}

/** A value of the filter that finds the row. Undefined if there is none. */
export function asking(name: string, row: Row, clinic: Clinic): unknown {
  const filter = listFilters[name]
  const values = filter?.of(row, clinic) ?? []
  if (!filter || values.length === 0) return undefined
  return filter.asks ? filter.asks(values) : values[0]
}

/** Every phone or email of a patient in the detailed form. Null when the backend does not send them. */
function contactsOf(row: Row, type: 'phone' | 'email'): (string | null)[] | null {
  const contacts = valueAt(row, 'contacts')
  if (!Array.isArray(contacts)) return null
  const values = contacts.filter((one) => valueAt(one, 'type') === type).map((one) => textAt(one, 'value'))
  return [...values, textAt(row, type)]
}
