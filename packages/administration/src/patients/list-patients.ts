// Lists the patients of whom everything is true that an owner asks for: the public list's statement, under the console's login (docs/decisions/0140).
import {
  type ListedPatient,
  PATIENTS_PAGE,
  type PatientQuestions,
} from '@clinic-data/console-contract/patient-questions'
import { normalPhone } from '@clinic-data/contract/phone'
import { type ClinicDatabase, sql, type Transaction } from '@clinic-data/database'
import { type Positioned, pageAnswer, pageOrder } from '@clinic-data/records/lists/page'
import { latestDays } from '@clinic-data/records/lists/patient-facts'
import { listedPatients, readListed } from '@clinic-data/records/lists/patients'
import { majorUnits } from '@clinic-data/records/resources/money'
import { balanceOf } from '@clinic-data/records/resources/patient'
import type { ActiveSession } from '../sessions/sessions.ts'

interface Asking {
  now: Date
  /** Puts on record, in the same transaction, who was shown. */
  beside: (tx: Transaction, patient_ids: readonly string[]) => void
}

type Row = Omit<ListedPatient, 'balance'> & { balance_thousandths: number } & Positioned

export function listPatients(
  consoleDatabase: ClinicDatabase,
  { clinic }: Pick<ActiveSession, 'clinic'>,
  { words, after, ...filters }: PatientQuestions,
  { now, beside }: Asking,
): Promise<{ data: ListedPatient[]; meta: { after: string[] | null } }> {
  const page = { limit: PATIENTS_PAGE, after: after ?? null }
  const listing = listedPatients(clinic, { ...filters, ...searchOf(words, clinic.country), ...page }, now)
  const { paged, order } = listing
  const id = sql`p.id`
  const { visit, payment } = latestDays(clinic, now, id)
  return consoleDatabase.write(clinic, async (tx) => {
    const found = await readListed(listing, page, async (listed) => {
      const { rows } = await tx.query<Row>(sql`select p.id, p.first_name, p.last_name, p.phone,
          p.birth_date, ${visit} as last_visit_on, ${payment} as last_payment_on,
          ${balanceOf(clinic, id)} as balance_thousandths, ${paged}.sort
        from ${listed} ${pageOrder(paged, order)}`)
      return rows
    })
    const { data, next } = pageAnswer(found, page, shown)
    beside(
      tx,
      data.map((patient) => patient.id),
    )
    return { data, meta: { after: next } }
  })
}

/** Words that are written as a phone are one: no name is. */
function searchOf(words: string | undefined, country: string) {
  if (words === undefined) return {}
  return normalPhone(words, country) === null ? { query: words } : { phone: words }
}

const shown = ({ balance_thousandths, sort: _, ...patient }: Row): ListedPatient => ({
  ...patient,
  balance: majorUnits(balance_thousandths),
})
