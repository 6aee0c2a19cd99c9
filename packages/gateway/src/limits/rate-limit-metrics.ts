// The measurement of the shared rate limit: whether the gateways count together.
import { metrics } from '@opentelemetry/api'

/** A row of `docs/metrics.md`, and the options of the instrument. */
export const RATE_LIMIT_METRICS = {
  alone: {
    name: 'gateway.rate_limit.alone',
    kind: 'gauge',
    unit: '{process}',
    labels: [],
    description:
      'Gateway processes that count by themselves, with their share of each limit, because Redis does not answer. Only with `REDIS_URL`.',
  },
} as const

/** @param isAlone whether this process counts by itself now. */
export function observeRateLimit(isAlone: () => boolean): void {
  const { alone } = RATE_LIMIT_METRICS
  metrics
    .getMeter('clinic-data-gateway')
    .createObservableGauge(alone.name, alone)
    .addCallback((result) => result.observe(isAlone() ? 1 : 0))
}
