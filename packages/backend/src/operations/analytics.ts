// Analytics: describes the datasets for a key, and answers queries.

import { groupsOf, patientsOfLabels } from '@clinic-data/analytics/answer'
import { statementOf } from '@clinic-data/analytics/compiled'
import { type Query, questionOf } from '@clinic-data/analytics/question'
import { knownIds, namedIn, unknownValues } from '@clinic-data/analytics/unknown-values'
import type { Clinic, Grant, Scope } from '@clinic-data/contract'
import { checkQuery, scopesOf } from '@clinic-data/contract/analytics/check-query'
import { seenBy } from '@clinic-data/contract/analytics/dataset'
import { datasets } from '@clinic-data/contract/analytics/datasets'
import { describeDataset, describeDatasets } from '@clinic-data/contract/analytics/describe-datasets'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { bodyFault } from '@clinic-data/contract/findings'
import type { UnknownValues } from '@clinic-data/contract/page-meta'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { Database } from '@clinic-data/database'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'

export function analyticsHandlers({ database, now }: HandlerParts): HandlersOf<'metrics.describe' | 'query.run'> {
  return {
    'metrics.describe': async (grant, { query: { dataset } }) => {
      const may = (scope: Scope) => grant.may(scope)
      if (dataset === undefined) return { data: { datasets: describeDatasets(may) } }
      grant.require(scopesOf({ dataset }, may))
      return { data: { datasets: [describeDataset(seenBy(datasets[dataset], may), may)] } }
    },

    'query.run': async (grant, { body }, { deadline }) => {
      const { clinic } = grant
      requireChecked(grant, body)
      const requestedAt = now()
      const question = questionOf(body, clinic, zonedInstant(requestedAt, clinic.time_zone, 3).slice(0, 10))
      const [{ rows, behindMs }, unknown_values] = await Promise.all([
        database.scan(clinic, statementOf(question), deadline - performance.now()),
        unknownIn(database, clinic, body),
      ])
      const { dataset, measures, dimensions } = question.shape
      const patient_ids = patientsOfLabels(question.shape, rows)
      return {
        data: {
          dataset,
          ...groupsOf(question.shape, rows),
          measures: [...measures],
          dimensions: dimensions.map(({ field }) => field),
          time_zone: clinic.time_zone,
          week_start: clinic.week_start === 0 ? 'sunday' : 'monday',
          as_of: zonedInstant(new Date(requestedAt.getTime() - behindMs), clinic.time_zone, 3),
        },
        ...(unknown_values.length > 0 && { unknown_values }),
        ...(patient_ids.length > 0 && { patient_ids }),
      }
    },
  }
}

/** A query without filters by an id asks nothing more. */
async function unknownIn(database: Database, clinic: Clinic, query: Query): Promise<UnknownValues[]> {
  const named = namedIn(query)
  return named.length === 0 ? [] : unknownValues(named, await database.read(clinic, knownIds(clinic, named)))
}

/**
 * The gateway has already checked the query. This refuses an invalid name, or one that is not for this key, from any caller.
 *
 * @throws Problem `invalid-request`; then `forbidden` for names that the key may not see.
 */
function requireChecked(grant: Grant, query: Query): void {
  const may = (scope: Scope) => grant.may(scope)
  const faults = checkQuery(query, may).map(bodyFault)
  if (faults.length > 0) throw faultProblem('invalid-request', faults)
  grant.require(scopesOf(query, may))
}
