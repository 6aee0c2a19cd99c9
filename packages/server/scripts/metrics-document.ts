// Writes the table of all metrics from their instruments. Prints it with: node packages/server/scripts/metrics-document.ts
import { SIGN_IN_METRICS } from '@clinic-data/administration/sessions/sign-in-count'
import { RECORDED_READ_METRICS } from '@clinic-data/backend/recorded-reads'
import { SENDER_METRICS } from '@clinic-data/backend/sending/sender-metrics'
import { RATE_LIMIT_METRICS } from '@clinic-data/gateway/limits/rate-limit-metrics'
import { GATEWAY_METRICS } from '@clinic-data/gateway/telemetry/metrics'
import { ENGINE_METRICS } from '@clinic-data/webhooks/engine/engine-metrics'
import { CLOCK_METRICS } from '../src/clock-jumps.ts'
import { BACKGROUND_METRICS } from '../src/telemetry/background-metrics.ts'
import { CONNECTION_METRICS } from '../src/telemetry/connection-metrics.ts'
import { DATA_FOLDER_METRICS } from '../src/telemetry/data-folder-metrics.ts'
import { PROCESS_METRICS } from '../src/telemetry/process-metrics.ts'
import { labelName, prometheusName } from '../src/telemetry/prometheus-names.ts'
import { WORKER_METRICS } from '../src/workers/workers.ts'

interface Metric {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly unit: string
  readonly labels: readonly string[]
  readonly description: string
}

const CHAPTERS: Readonly<Record<string, readonly Metric[]>> = {
  'Requests of the public API': [...Object.values(GATEWAY_METRICS), ...Object.values(RATE_LIMIT_METRICS)],
  'The backend of separate gateways': Object.values(RECORDED_READ_METRICS),
  'The console': Object.values(SIGN_IN_METRICS),
  Connections: Object.values(CONNECTION_METRICS),
  'Webhooks (dispatcher)': Object.values(ENGINE_METRICS),
  'Chat messages (dispatcher)': Object.values(SENDER_METRICS),
  'Background work and the audit log (dispatcher)': Object.values(BACKGROUND_METRICS),
  'The embedded database': Object.values(DATA_FOLDER_METRICS),
  'The process': [...Object.values(PROCESS_METRICS), ...Object.values(WORKER_METRICS), ...Object.values(CLOCK_METRICS)],
}

const UNIT_WORDS: Readonly<Record<string, string>> = { s: 'seconds', By: 'bytes', '1': 'ratio' }

const INTRODUCTION = `# Metrics

\`GET /metrics\` on the private listener shows them in the form of Prometheus. This page is made from the instruments
(\`npm run golden\`). Names follow OpenTelemetry's semantic conventions, written as Prometheus writes them: the unit last, counters with
\`_total\`.

- No label holds a clinic, a key, a subscription or a patient. \`operation\` has the operations of the contract, every other
  label a few values.
- A scrape asks the database nothing. What only the database knows is looked at in the background, at the interval that the table
  names, and reads a bounded part of a queue.
- With workers, \`/metrics\` is the sum of all processes. Of gauges in seconds and of ratios the largest counts.
- \`target_info\` tells the process: \`service_name\`, \`service_version\` (of a package with its commit, \`0.2.0+b2f65437c0de\`), \`clinicd_role\`, \`process_runtime_version\`.
- A dispatcher that cannot read its queues shows no figures of them, rather than old ones.
- The event feed needs no figure of its own: an event is in it as soon as the change is committed, and a waiting reader asks four times
  a second.
`

/** Every metric as Prometheus names it, with its labels. */
export const prometheusMetrics: ReadonlyMap<string, { kind: Metric['kind']; labels: readonly string[] }> = new Map(
  Object.values(CHAPTERS)
    .flat()
    .map((metric) => [prometheusName(metric), { kind: metric.kind, labels: metric.labels.map(labelName) }]),
)

/** The whole of `docs/metrics.md`. */
export function metricsDocument(): string {
  const chapters = Object.entries(CHAPTERS).map(
    ([title, all]) => `## ${title}

| Name | Type | Unit | Labels | Meaning |
|---|---|---|---|---|
${all.map(row).join('\n')}
`,
  )
  return [INTRODUCTION, ...chapters].join('\n')
}

function row(metric: Metric): string {
  const unit = UNIT_WORDS[metric.unit] ?? plural(metric.unit.replace(/[{}]/g, ''))
  const labels = metric.labels.map((one) => `\`${labelName(one)}\``).join(', ')
  return `| \`${prometheusName(metric)}\` | ${metric.kind} | ${unit} | ${labels} | ${metric.description} |`
}

function plural(word: string): string {
  return word.endsWith('y') ? word.replace(/y$/, 'ies') : word.endsWith('s') ? `${word}es` : `${word}s`
}

if (import.meta.main) process.stdout.write(metricsDocument())
