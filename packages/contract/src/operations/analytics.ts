// Analytics: describing and querying the datasets.

import { checkQuery, scopesOf } from '../analytics/check-query.ts'
import { datasetNames } from '../analytics/datasets.ts'
import { DatasetDescriptor, Query, QueryResult } from '../analytics/query.ts'
import { one, operation } from '../operation.ts'
import { choice, exampleOf, list, object, strictObject, Type } from '../schema.ts'

export const metricsDescribe = operation({
  id: 'metrics.describe',
  method: 'GET',
  path: '/v1/metrics',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'Describe the datasets',
  description:
    'Measures, dimensions and filters of each dataset: what a query may name. What needs a scope that the key lacks is left out.',
  query: strictObject({ dataset: Type.Optional(choice(datasetNames, { description: 'Only this dataset.' })) }),
  shape: 'one',
  untrustedText: false,
  output: one(object({ datasets: list(DatasetDescriptor, 32) })),
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
    'One GROUP BY over one dataset: rows, and totals over the whole filtered set. Describe the dataset first: a query names its measures, dimensions and filters.',
  body: Query,
  checkBody: checkQuery,
  scopesOf,
  shape: 'one',
  untrustedText: false,
  output: one(QueryResult),
  example: { body: exampleOf(Query) },
})
