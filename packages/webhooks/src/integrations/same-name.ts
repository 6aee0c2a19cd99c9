// Two integrations of a clinic never share a name, however it is written: Stop stops all that carries it.
import { foldLabel } from '@clinic-data/contract/folded-name'
import { type Statement, sql, type Transaction } from '@clinic-data/database'

const LONGEST_NAME = 200
/** As it is stored. @param otherwise for a name that is blank. */
export function storedName(name: string, otherwise: string): string {
  return [...(name.trim() || otherwise)].slice(0, LONGEST_NAME).join('')
}

export interface NamedAlike {
  id: string
  name: string
  is_stopped: boolean
}

/** Call it behind `lockIntegrations`. @returns those with this name, stopped ones first. */
export async function namedAlike(tx: Transaction, clinic_id: string, name: string): Promise<NamedAlike[]> {
  return alikeOf((await tx.query<NamedAlike>(namesIn(clinic_id))).rows, name)
}

/** All of a clinic, stopped ones first. */
export function namesIn(clinic_id: string): Statement {
  return sql`select id, name, stopped_at is not null as is_stopped from integration
    where clinic_id = ${clinic_id} order by is_stopped desc, created_at, id`
}

/** Mostly one, or none. More come from a former version. */
export function alikeOf<T extends { name: string }>(all: readonly T[], name: string): T[] {
  const wanted = foldLabel(name)
  return all.filter((one) => foldLabel(one.name) === wanted)
}
