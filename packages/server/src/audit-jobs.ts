// The background jobs that go through the audit log when it is sealed: the watch, packing and the continuous export.
import { stopCalled } from '@clinic-data/administration/alerts/stop-called'
import { type Telling, tellAlerts } from '@clinic-data/administration/alerts/tell'
import { listClinics } from '@clinic-data/administration/clinics'
import type { LogFollower } from '@clinic-data/audit/follow/follow-log'
import { daysToPack, type Packing } from '@clinic-data/audit/pack-days'
import { watchLogs } from '@clinic-data/audit/watch/watch-log'
import type { Database } from '@clinic-data/database'
import type { Log } from '@clinic-data/gateway/telemetry/log'
import { eachInTurn, type Job, MINUTE_MS } from './job.ts'

export interface AuditJobParts {
  /** Runs work as the owner of the tables, who sees all clinics, seals the audit log and makes partitions. */
  asOwner: <T>(work: (owner: Database) => Promise<T>) => Promise<T>
  log: Log
  /** Who is told of unusual use of keys, beside the console. */
  alerting: Pick<Telling, 'mail' | 'webhook' | 'consoleUrl'>
  /** Packs the days of the audit log that have ended. Null: nobody does. */
  packAudit: ((now: Date, stopping: AbortSignal) => Promise<Packing>) | null
  /** Exports the audit log continuously. Null: no destination is set. */
  follower: LogFollower | null
  now?: () => Date
}

export function auditJobs(parts: AuditJobParts, stopping: AbortSignal): Job[] {
  const { asOwner, packAudit, follower, now = () => new Date() } = parts
  return [
    watching(parts, stopping),
    ...(packAudit === null ? [] : [packing(packAudit, asOwner, now, stopping)]),
    ...(follower === null ? [] : [following(asOwner, follower, stopping)]),
  ]
}

/** Rows are sealed, and so can be watched, after a minute or two. A clinic hears of them some minutes later. */
function watching({ asOwner, alerting, log, now = () => new Date() }: AuditJobParts, stopping: AbortSignal): Job {
  return {
    name: 'watch_audit',
    everyMs: 5 * MINUTE_MS,
    run: () =>
      asOwner(async (owner) => {
        const clinics = (await listClinics(owner)).filter(({ closed_at }) => closed_at === null)
        const failures = await watchLogs(owner, clinics, { now: now(), stopping })
        await eachInTurn(stopping)(clinics, async (clinic) => {
          try {
            await stopCalled(owner, clinic, { now })
          } finally {
            await tellAlerts(owner, clinic, { ...alerting, log, now })
          }
        }).catch((error) => failures.push(error))
        if (failures.length > 0) throw new AggregateError(failures, `of ${failures.length} clinics`)
      }),
    failure: 'the audit log could not be watched',
  }
}

/** A day is packed once. A round that comes at a moment when the log is in use leaves it to the next. */
function packing(
  pack: NonNullable<AuditJobParts['packAudit']>,
  asOwner: AuditJobParts['asOwner'],
  now: () => Date,
  stopping: AbortSignal,
): Job {
  return {
    name: 'pack_audit',
    everyMs: 10 * MINUTE_MS,
    run: async () => {
      // Most rounds find nothing to do.
      if ((await asOwner((owner) => daysToPack(owner, now()))).length === 0 || stopping.aborted) return
      const { failures } = await pack(now(), stopping)
      if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '))
    },
    failure: 'days of the audit log could not be packed',
  }
}

/** Seals come once a minute. Somebody else's outage may last for days: it is told once. */
function following(asOwner: AuditJobParts['asOwner'], follower: LogFollower, stopping: AbortSignal): Job {
  return {
    name: 'export_audit',
    everyMs: MINUTE_MS / 2,
    run: () => asOwner(async (owner) => follower.round(owner, await listClinics(owner), stopping)),
    failure: 'the audit log could not be exported to AUDIT_EXPORT_URL; it is kept, and further failures are not told',
    recovery: 'the audit log is exported to AUDIT_EXPORT_URL again',
  }
}
