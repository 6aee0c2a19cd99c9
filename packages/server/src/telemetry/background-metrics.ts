// The measurements of the background work: how long ago each job was last done, what waits for a seal of the audit log, and what
// copies the database has of what it stores.
import type { UnsealedRows } from '@clinic-data/audit/audit-seal'
import type { LogFollower } from '@clinic-data/audit/follow/follow-log'
import { type BatchObservableResult, type Counter, type Meter, metrics } from '@opentelemetry/api'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const BACKGROUND_METRICS = {
  age: {
    name: 'background_job_age',
    kind: 'gauge',
    unit: 's',
    labels: ['task'],
    description: 'Time since the job was last done without a failure, or since the start.',
  },
  interval: {
    name: 'background_job_interval',
    kind: 'gauge',
    unit: 's',
    labels: ['task'],
    description: 'How often the job is done. An age of several intervals means that it fails.',
  },
  unsealedRows: {
    name: 'audit_unsealed_rows',
    kind: 'gauge',
    unit: '{row}',
    labels: [],
    description:
      'Rows of the audit log that no seal covers yet, at most 10,000 counted for each clinic. Looked at once a minute.',
  },
  unsealedAge: {
    name: 'audit_unsealed_age',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description: 'How long the oldest of these rows has waited. Two to three minutes are usual.',
  },
  failures: {
    name: 'background_job_failures',
    kind: 'counter',
    unit: '{round}',
    labels: ['task'],
    description: 'Rounds of the job that failed.',
  },
  exportLag: {
    name: 'audit_export_lag',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description:
      'How long the oldest seal of the audit log has waited for `AUDIT_EXPORT_URL` to take it, where that is set. Looked at twice a minute.',
  },
  exportClinics: {
    name: 'audit_export_waiting_clinics',
    kind: 'gauge',
    unit: '{clinic}',
    labels: [],
    description: 'Clinics whose log has seals that wait so.',
  },
  exportedRows: {
    name: 'audit_exported_rows',
    kind: 'counter',
    unit: '{row}',
    labels: [],
    description: 'Rows of the audit log that the destination has acknowledged.',
  },
  standbys: {
    name: 'db_standbys',
    kind: 'gauge',
    unit: '{server}',
    labels: [],
    description:
      'Standbys of the database that are connected through a replication slot of their own, as Patroni makes them. Looked at once a minute.',
  },
  archiveFails: {
    name: 'db_archive_failing',
    kind: 'gauge',
    unit: '{server}',
    labels: [],
    description:
      "1 while the database's last attempt to archive its log (`archive_command`) failed, else 0, as where `archive_mode` is off. Looked at once a minute.",
  },
} as const

interface BackgroundMetricsOptions {
  jobs: readonly { name: string; everyMs: number }[]
  unsealed: () => UnsealedRows
  /** Each is null before the first look. */
  copies: () => { readonly standbys: number | null; readonly archiveFails: boolean | null }
  /** Null: the log is exported nowhere. */
  follower: Pick<LogFollower, 'lag' | 'exportedRows'> | null
  now: () => Date
}

/** Created together with the jobs: by then the process's meters are set up. */
export class BackgroundMetrics {
  readonly #doneAt = new Map<string, number>()
  readonly #failures: Counter

  constructor({ jobs, unsealed, copies, follower, now }: BackgroundMetricsOptions) {
    const startedAt = performance.now()
    const meter = metrics.getMeter('clinic-data-server')
    const of = BACKGROUND_METRICS
    const age = meter.createObservableGauge(of.age.name, of.age)
    const interval = meter.createObservableGauge(of.interval.name, of.interval)
    const rows = meter.createObservableGauge(of.unsealedRows.name, of.unsealedRows)
    const oldest = meter.createObservableGauge(of.unsealedAge.name, of.unsealedAge)
    const standbys = meter.createObservableGauge(of.standbys.name, of.standbys)
    const archive = meter.createObservableGauge(of.archiveFails.name, of.archiveFails)
    const observe = (result: BatchObservableResult) => {
      // Prometheus itself has a label `job`.
      for (const { name: task, everyMs } of jobs) {
        result.observe(age, (performance.now() - (this.#doneAt.get(task) ?? startedAt)) / 1000, { task })
        result.observe(interval, everyMs / 1000, { task })
      }
      const waiting = unsealed()
      result.observe(rows, waiting.rows)
      result.observe(oldest, waiting.oldestAt === null ? 0 : Math.max(0, (now().getTime() - waiting.oldestAt) / 1000))
      const seen = copies()
      if (seen.standbys !== null) result.observe(standbys, seen.standbys)
      if (seen.archiveFails !== null) result.observe(archive, Number(seen.archiveFails))
    }
    meter.addBatchObservableCallback(observe, [age, interval, rows, oldest, standbys, archive])
    this.#failures = meter.createCounter(of.failures.name, of.failures)
    if (follower !== null) observeExport(meter, follower, now)
  }

  jobFailed(name: string): void {
    this.#failures.add(1, { task: name })
  }

  jobDone(name: string): void {
    this.#doneAt.set(name, performance.now())
  }
}

function observeExport(meter: Meter, follower: Pick<LogFollower, 'lag' | 'exportedRows'>, now: () => Date): void {
  const of = BACKGROUND_METRICS
  const lag = meter.createObservableGauge(of.exportLag.name, of.exportLag)
  const clinics = meter.createObservableGauge(of.exportClinics.name, of.exportClinics)
  const rows = meter.createObservableCounter(of.exportedRows.name, of.exportedRows)
  meter.addBatchObservableCallback(
    (result) => {
      const { clinics: waiting, since } = follower.lag
      result.observe(lag, since === null ? 0 : Math.max(0, (now().getTime() - since) / 1000))
      result.observe(clinics, waiting)
      result.observe(rows, follower.exportedRows)
    },
    [lag, clinics, rows],
  )
}
