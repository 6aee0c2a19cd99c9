// Ages on the day of the question, in whole years; nobody is younger than 0.
import { type Statement, sql } from '@clinic-data/database'
import { TODAY } from './parameters.ts'

export function age(birthDate: Statement): Statement {
  return sql`case when ${birthDate} <= ${TODAY} then extract(year from age(${TODAY}::timestamp, ${birthDate}::timestamp))::integer end`
}

/** The bands of the contract. */
export function ageBand(birthDate: Statement): Statement {
  const years = age(birthDate)
  return sql`case when ${years} < 18 then '0-17' when ${years} < 30 then '18-29' when ${years} < 45 then '30-44'
    when ${years} < 65 then '45-64' when ${years} >= 65 then '65+' end`
}
