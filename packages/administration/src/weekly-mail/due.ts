// Whose weekly mail is due, and taking one: at most once a week, by one machine, for a person who may still see what it holds (docs/decisions/0111).
import type { MailLanguage } from '@clinic-data/console-contract/people-operations'
import type { Role } from '@clinic-data/console-contract/role-names'
import { rolesOf } from '@clinic-data/console-contract/roles'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { type ClinicSession, type Database, sql } from '@clinic-data/database'
import type { Holder } from '@clinic-data/surface/still-valid'

/** Monday, when a week's work begins. */
const HOUR = 8
const DAY_MS = 24 * 60 * 60 * 1000
/** A mail server that refuses once may be busy. Whoever refuses for an hour refuses the next one, too. */
const AGAIN_MS = [5, 15, 40].map((minutes) => minutes * 60_000)
/** The most mails that one look finds. */
const MOST_DUE = 1_000

/** The next Monday morning of a clinic. A night in which clocks change moves it by nothing: the day is counted by the calendar. */
export function nextMonday(now: Date, time_zone: string): Date {
  for (let day = 0; ; day += 1) {
    const at = morningOf(new Date(now.getTime() + day * DAY_MS), time_zone)
    if (at.isMonday && at.instant > now) return at.instant
  }
}

function morningOf(within: Date, time_zone: string): { isMonday: boolean; instant: Date } {
  const morning = Date.parse(`${zonedInstant(within, time_zone, 0).slice(0, 10)}T0${HOUR}:00:00Z`)
  // The offset of the zone at that time: once from a guess, and once from what the guess gave.
  let instant = new Date(morning)
  for (let round = 0; round < 2; round += 1) {
    const shown = zonedInstant(instant, time_zone, 0).slice(0, 19)
    instant = new Date(morning - (Date.parse(`${shown}Z`) - instant.getTime()))
  }
  return { isMonday: new Date(morning).getUTCDay() === 1, instant }
}

/** One statement for all clinics. @param owner opened as the owner of the tables. */
export async function dueMails(owner: Database, now: Date): Promise<Holder[]> {
  return owner.readAsDispatcher<Holder>(sql`
    select clinic_id, administrator_id as id from weekly_mail where due_at <= ${now} order by due_at limit ${MOST_DUE}`)
}

export interface TakenMail {
  administrator_id: string
  clinic: ClinicSession & { name: string }
  to: string
  name: string
  language: MailLanguage
  /** Until now, of this week's mail. */
  failures: number
}

/**
 * From the commit on this week's mail counts as sent: a process that is killed now sends none, and no other sends a second one. Null when another one
 * has taken it, and for a person who may not see it, whose choice is kept for the day on which that changes.
 */
export async function takeMail(owner: Database, { clinic_id, id }: Holder, now: Date): Promise<TakenMail | null> {
  const [clinic] = await owner.read<ClinicSession & { name: string }>(
    { clinic_id, time_zone: 'UTC' },
    sql`select clinic_id, name, time_zone from clinic where clinic_id = ${clinic_id} and closed_at is null`,
  )
  const next = nextMonday(now, clinic?.time_zone ?? 'UTC')
  return owner.write({ clinic_id, time_zone: 'UTC' }, async (tx) => {
    const row = sql`clinic_id = ${clinic_id} and administrator_id = ${id}`
    const { rows } = await tx.query<{ language: MailLanguage; failures: number }>(sql`
      select language, failures from weekly_mail where ${row} and due_at <= ${now} for update skip locked`)
    const [due] = rows
    if (due === undefined) return null
    await tx.query(sql`update weekly_mail set due_at = ${next}, failures = 0 where ${row}`)
    const people = await tx.query<{ email: string; name: string; role: Role }>(sql`select email, name, role
      from administrator where clinic_id = ${clinic_id} and id = ${id} and disabled_at is null and removed_at is null`)
    const [person] = people.rows
    if (clinic === undefined || person === undefined || !rolesOf.home.includes(person.role)) return null
    return { administrator_id: id, clinic, to: person.email, name: person.name, ...due }
  })
}

export async function noteSent(owner: Database, { clinic, administrator_id }: TakenMail, now: Date): Promise<void> {
  const { clinic_id } = clinic
  await owner.write(clinic, (tx) =>
    tx.query(sql`update weekly_mail set sent_at = ${now}, failed_at = null
      where clinic_id = ${clinic_id} and administrator_id = ${administrator_id}`),
  )
}

/** @param isClear the server has surely not taken it. Then it is tried again, a few times. */
export async function noteRefused(
  owner: Database,
  { clinic, administrator_id, failures }: TakenMail,
  { now, isClear }: { now: Date; isClear: boolean },
): Promise<void> {
  const { clinic_id } = clinic
  const pause = isClear ? AGAIN_MS[failures] : undefined
  const change =
    pause === undefined
      ? sql`failed_at = ${now}`
      : sql`failures = ${failures + 1}, due_at = ${new Date(now.getTime() + pause)}`
  await owner.write(clinic, (tx) =>
    tx.query(sql`update weekly_mail set ${change}
      where clinic_id = ${clinic_id} and administrator_id = ${administrator_id}`),
  )
}
