// The gateway's measurements: requests by operation and status, their duration, requests without a valid key, and what waits for
// the audit log.
import { type Attributes, metrics } from '@opentelemetry/api'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const GATEWAY_METRICS = {
  duration: {
    name: 'http.server.request.duration',
    kind: 'histogram',
    unit: 's',
    labels: ['operation', 'http.response.status_code'],
    description:
      'Duration of public requests, from their headers to the end of the answer. `operation` is `none` outside of the contract. A status of 429 is a refusal by the rate limit.',
  },
  unauthorized: {
    name: 'gateway.unauthorized',
    kind: 'counter',
    unit: '{request}',
    labels: ['well_formed'],
    description: 'Requests without a valid key, by whether the form of the key was right.',
  },
  apps: {
    name: 'gateway.app.requests',
    kind: 'counter',
    unit: '{request}',
    labels: ['endpoint', 'outcome'],
    description:
      'Requests of apps to the endpoints below `/oauth`. `outcome` is `ok`, or the code of the refusal. Only where apps can be connected.',
  },
  auditWaiting: {
    name: 'gateway.audit.waiting',
    kind: 'gauge',
    unit: '{row}',
    labels: [],
    description: 'Audit rows that wait to be stored. Their requests wait too.',
  },
} as const

/** Created together with the gateway: by then the process's meters are set up. */
export class GatewayMetrics {
  readonly #duration
  readonly #unauthorized
  readonly #apps
  /** Attribute sets are few and made once: operation × status. */
  readonly #attributes = new Map<string, Attributes>()

  constructor() {
    const { duration, unauthorized, apps } = GATEWAY_METRICS
    this.#duration = meter().createHistogram(duration.name, {
      ...duration,
      advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
    })
    this.#unauthorized = meter().createCounter(unauthorized.name, unauthorized)
    this.#apps = meter().createCounter(apps.name, apps)
  }

  countRequest(operation: string, status: number, seconds: number): void {
    const name = `${operation} ${status}`
    let set = this.#attributes.get(name)
    if (!set) {
      set = { operation, 'http.response.status_code': status }
      this.#attributes.set(name, set)
    }
    this.#duration.record(seconds, set)
  }

  countUnauthorized(wellFormed: boolean): void {
    this.#unauthorized.add(1, { well_formed: wellFormed })
  }

  /** @param outcome `ok`, or one of few codes. */
  countApp(endpoint: string, outcome: string): void {
    this.#apps.add(1, { endpoint, outcome })
  }

  /** @param waiting the number of audit rows that wait now. */
  observeAuditTrail(waiting: () => number): void {
    const { auditWaiting } = GATEWAY_METRICS
    meter()
      .createObservableGauge(auditWaiting.name, auditWaiting)
      .addCallback((result) => result.observe(waiting()))
  }
}

function meter() {
  return metrics.getMeter('clinic-data-gateway')
}
