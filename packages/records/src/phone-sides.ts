// Which side of a call or message is the patient's, and how each number is stored: matched as E.164, shown in local form.

import { localPhone, normalPhone } from '@clinic-data/contract/phone'

type Sides = { direction: 'inbound' | 'outbound'; from_phone: string | null; to_phone: string | null }

/** E.164, or null when there is none or it cannot be read (a withheld number). */
export function patientPhone({ direction, from_phone, to_phone }: Sides, country: string): string | null {
  return normal(direction === 'inbound' ? from_phone : to_phone, country)
}

/** In local form with a leading 0. A foreign one as `+…`, an unreadable one as it was given. */
export function shownPatientPhone(sides: Sides, country: string): string | null {
  const phone = patientPhone(sides, country)
  return phone === null ? (sides.direction === 'inbound' ? sides.from_phone : sides.to_phone) : local(phone, country)
}

/** As `+972…` when it can be read. */
export function shownPhone(written: string | null, country: string): string | null {
  return normal(written, country) ?? written
}

/** Reading a number costs ten times as much as storing it, and the same few come again and again. */
const REMEMBERED = 2_000

const normals = new Map<string, string | null>()
const locals = new Map<string, string>()

function normal(written: string | null, country: string): string | null {
  return written === null ? null : remembered(normals, `${country}${written}`, () => normalPhone(written, country))
}

export function local(phone: string, country: string): string {
  return remembered(locals, `${country}${phone}`, () => localPhone(phone, country))
}

function remembered<T>(known: Map<string, T>, key: string, read: () => T): T {
  const found = known.get(key)
  if (found !== undefined) return found
  const value = read()
  if (known.size >= REMEMBERED) known.clear()
  known.set(key, value)
  return value
}
