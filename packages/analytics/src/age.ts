// Computes ages in whole years on the day of the query. Null when the birth date is later than that.
import { type Statement, sql } from '@clinic-data/database'
import { TODAY } from './parameters.ts'

export function age(birthDate: Statement): Statement {
  return sql`case when ${birthDate} <= ${TODAY} then extract(year from age(${TODAY}, ${birthDate}))::integer end`
}

/** The contract's age bands. Compares birth dates with limits that are computed once per query, not once per patient. */
export function ageBand(birthDate: Statement): Statement {
  const youngerThan = (years: Statement) => sql`${birthDate} > (${TODAY} - ${years})::date`
  return sql`case when ${birthDate} > ${TODAY} then null
    when ${youngerThan(sql`interval '18 years'`)} then '0-17' when ${youngerThan(sql`interval '30 years'`)} then '18-29'
    when ${youngerThan(sql`interval '45 years'`)} then '30-44' when ${youngerThan(sql`interval '65 years'`)} then '45-64'
    when ${birthDate} is not null then '65+' end`
}
