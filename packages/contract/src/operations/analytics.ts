// Analytics: describing and querying the datasets.

import { checkQuery, scopesOf } from '../analytics/check-query.ts'
import { datasetNames, idFilters } from '../analytics/datasets.ts'
import { DatasetDescriptor, Query, QueryResult } from '../analytics/query.ts'
import { answersOne, operation } from '../operation.ts'
import { QueryMeta } from '../page-meta.ts'
import { choice, exampleOf, list, object, strictObject, Type } from '../schema/schema.ts'

export const metricsDescribe = operation({
  id: 'metrics.describe',
  method: 'GET',
  path: '/v1/metrics',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'Describe the datasets',
  description:
    'Lists the measures, dimensions and filters of each dataset. A query may use only these names. A name is left out if the key lacks its scope.',
  query: strictObject({ dataset: Type.Optional(choice(datasetNames, { description: 'Only this dataset.' })) }),
  untrustedText: false,
  patients: 'none',
  ...answersOne(object({ datasets: list(DatasetDescriptor, 32) })),
  example: { query: { dataset: 'treatments' } },
})

export const queryRun = operation({
  id: 'query.run',
  method: 'POST',
  path: '/v1/query',
  scope: 'analytics:read',
  tag: 'Analytics',
  effect: 'none',
  summary: 'Run one aggregation',
  description:
    'Groups and aggregates one dataset. Answers rows, and totals over the whole filtered set. Describe the dataset first: a query names its measures, dimensions and filters.',
  body: Query,
  idFilters,
  checkBody: checkQuery,
  scopesOf,
  untrustedText: false,
  // Those by whom it is grouped.
  patients: 'groups',
  shape: 'one',
  output: object({ data: QueryResult, meta: Type.Optional(QueryMeta) }),
  example: { body: exampleOf(Query) },
})
