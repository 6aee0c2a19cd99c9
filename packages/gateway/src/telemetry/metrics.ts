// The gateway's measurements: requests by operation and status, their duration, and requests without a valid key.
import { type Attributes, metrics } from '@opentelemetry/api'

/** Created together with the gateway: by then the process's meters are set up. */
export class GatewayMetrics {
  readonly #duration
  readonly #unauthorized
  /** Attribute sets are few and made once: operation × status. */
  readonly #attributes = new Map<string, Attributes>()

  constructor() {
    const meter = metrics.getMeter('clinic-data-gateway')
    this.#duration = meter.createHistogram('http.server.request.duration', {
      unit: 's',
      description: 'Duration of requests, by operation and status.',
      advice: { explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] },
    })
    this.#unauthorized = meter.createCounter('gateway.unauthorized', {
      description: 'Requests without a valid key, by whether the form of the key was right.',
    })
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
}
