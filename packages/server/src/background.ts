// Runs the dispatcher's background jobs, each at its own interval: seals, watches and exports the audit log, ends deliveries that are too
// old, makes partitions of events and of the audit log, fills in the sounds of names, removes old answers, former secrets, unused files,
// ended sign-ins and what is left of deleted clinics, and looks at the standbys and the archive of the database.

import { listClinics } from '@clinic-data/administration/clinics'
import { removeEndedSignIns } from '@clinic-data/administration/remove-ended'
import { sendWeeklyMails, type WeeklyMailing } from '@clinic-data/administration/weekly-mail/send'
import { maintainAudit } from '@clinic-data/audit/audit'
import { forgetHours } from '@clinic-data/audit/audit-hours'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import { forgetAnswers } from '@clinic-data/backend/handling/idempotent'
import { clinicsUnheard, fillNameSounds } from '@clinic-data/backend/name-sounds'
import { deleteRows } from '@clinic-data/backend/offboarding/delete-clinic'
import { removeUnusedFiles } from '@clinic-data/backend/unused-files'
import type { Clinic } from '@clinic-data/contract'
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Database, utcSession } from '@clinic-data/database'
import { archiveFails, connectedStandbys } from '@clinic-data/database/server-copies'
import { clinicsInOutage, expireDeliveries } from '@clinic-data/webhooks/engine/expire'
import { clinicsWithStrays, endStrays } from '@clinic-data/webhooks/engine/stray-deliveries'
import { maintainEvents } from '@clinic-data/webhooks/events/maintain-events'
import { adoptOrphans } from '@clinic-data/webhooks/integrations/adopt'
import { Pump } from '@clinic-data/webhooks/pump'
import { forgetAttemptHours } from '@clinic-data/webhooks/subscriptions/attempt-hours'
import { resealSecrets } from '@clinic-data/webhooks/subscriptions/reseal'
import { eraseFormerSecrets } from '@clinic-data/webhooks/subscriptions/rotate-secret'
import { type AuditJobParts, auditJobs } from './audit-jobs.ts'
import { eachInTurn, type Job, MINUTE_MS } from './job.ts'
import { BackgroundMetrics } from './telemetry/background-metrics.ts'

export interface Background {
  /** Resolves when no round is under way. */
  idle(): Promise<void>
  /** Ends each round with the clinic or step that it is at: the rest is found again. Resolves when that work has ended. */
  stop(): Promise<void>
}

interface BackgroundParts extends AuditJobParts {
  /** Opened as the application's role. */
  database: Database
  /** For the heads of the audit chains (`signingKeys(secretKeys, 'audit-head')`). */
  auditKeys: SigningKeys
  /** For the secrets of subscriptions (`signingKeys(secretKeys, 'webhook-secret')`). */
  webhookKeys: SigningKeys
  /** Days of events and deliveries that are kept. */
  eventRetentionDays: number
  /** Days of the audit log that are kept. Null keeps all. */
  auditRetentionDays: number | null
  /** Null: no mail server is set. */
  mailing: Pick<WeeklyMailing, 'mail' | 'consoleUrl'> | null
}

/** The metrics tell what a job has looked for. */
interface Seen {
  standbys: number | null
  archiveFails: boolean | null
}

export function startBackground(parts: BackgroundParts): Background {
  const { log, auditKeys, now = () => new Date() } = parts
  const stopping = new AbortController()
  const sealer = new AuditSealer({ keys: auditKeys, now })
  const seen: Seen = { standbys: null, archiveFails: null }
  const all = jobs(parts, sealer, seen, stopping.signal)
  const unsealed = () => sealer.waiting
  const metrics = new BackgroundMetrics({ jobs: all, unsealed, copies: () => seen, follower: parts.follower, now })
  const pumps = all.map(({ name, everyMs, run, failure, recovery }) => {
    let isTold = false
    const onScanFailure = (error: unknown) => {
      if (!isTold) log.error({ err: error }, `${failure}; the next round tries again`)
      isTold = recovery !== undefined
      metrics.jobFailed(name)
    }
    const scan = async () => {
      await run()
      metrics.jobDone(name)
      if (isTold && recovery !== undefined) log.warn(recovery)
      isTold = false
    }
    return new Pump({ scan, everyMs, onScanFailure })
  })
  for (const pump of pumps) pump.start()
  const idle = async () => {
    await Promise.all(pumps.map((pump) => pump.idle()))
  }
  return {
    idle,
    stop: () => {
      stopping.abort()
      for (const pump of pumps) pump.stop()
      return idle()
    },
  }
}

function jobs(parts: BackgroundParts, sealer: AuditSealer, seen: Seen, stopping: AbortSignal): Job[] {
  const { database, asOwner, log, webhookKeys, eventRetentionDays, auditRetentionDays } = parts
  const { mailing, now = () => new Date() } = parts
  const inTurn = eachInTurn(stopping)
  const eachClinic = (work: (clinic: Clinic) => Promise<unknown>) => async () =>
    inTurn(await asOwner(listClinics), work)
  return [
    {
      // A round seals what the one before has seen.
      name: 'seal_audit',
      everyMs: MINUTE_MS,
      run: () =>
        asOwner(async (owner) => {
          const clinics = await sealer.unsealed(owner, await listClinics(owner))
          await inTurn(clinics, ({ clinic_id }) => sealer.seal(owner, clinic_id))
        }),
      failure: 'the audit log could not be sealed',
    },
    {
      name: 'look_at_copies',
      everyMs: MINUTE_MS,
      run: async () => {
        await asOwner(async (owner) => {
          seen.standbys = await connectedStandbys(owner)
          seen.archiveFails = await archiveFails(owner)
        })
      },
      failure: 'the standbys and the archive of the database could not be looked at',
    },
    {
      // A delivery's time is a day: a minute more is a small part of it.
      name: 'expire_deliveries',
      everyMs: MINUTE_MS,
      run: async () => inTurn(await clinicsInOutage(database), (id) => expireDeliveries(database, id, now())),
      failure: 'deliveries past their time could not be ended',
    },
    {
      name: 'end_stray_deliveries',
      everyMs: MINUTE_MS,
      run: async () => inTurn(await clinicsWithStrays(database), (id) => endStrays(database, id)),
      failure: 'deliveries of subscriptions that have ended could not be ended',
    },
    {
      // Partitions are made a week ahead.
      name: 'maintain_events',
      everyMs: 60 * MINUTE_MS,
      run: () => asOwner((owner) => maintainEvents(owner, eventRetentionDays, stopping)),
      failure: 'the partitions of the events could not be made',
    },
    {
      // Partitions are made a week ahead, and days are dropped whole.
      name: 'maintain_audit',
      everyMs: 60 * MINUTE_MS,
      run: () => asOwner((owner) => maintainAudit(owner, auditRetentionDays)),
      failure: 'the partitions of the audit log could not be made',
    },
    ...auditJobs(parts, stopping),
    {
      // Answers are kept for a day: an hour more is a small part of it.
      name: 'forget_answers',
      everyMs: 60 * MINUTE_MS,
      run: eachClinic((clinic) => database.write(clinic, (tx) => forgetAnswers(tx, clinic))),
      failure: 'old answers of Idempotency-Key could not be removed',
    },
    {
      // A former secret signs for a day: an hour more at rest is a small part of it.
      name: 'erase_former_secrets',
      everyMs: 60 * MINUTE_MS,
      run: eachClinic((clinic) => database.write(clinic, (tx) => eraseFormerSecrets(tx, clinic, now()))),
      failure: 'former secrets of subscriptions could not be erased',
    },
    {
      // The keys change at a start, and a start begins with a round.
      name: 'reseal_secrets',
      everyMs: 60 * MINUTE_MS,
      run: eachClinic((clinic) => resealSecrets(database, clinic, webhookKeys)),
      failure: 'secrets of subscriptions could not be sealed with the current key',
    },
    {
      // Each hour adds one row to a subscription.
      name: 'forget_attempt_hours',
      everyMs: 60 * MINUTE_MS,
      run: eachClinic((clinic) => database.write(clinic, (tx) => forgetAttemptHours(tx, clinic, now()))),
      failure: 'old sums of webhook attempts could not be removed',
    },
    {
      // Sums are kept for a month: an hour more is a small part of it.
      name: 'forget_audit_hours',
      everyMs: 60 * MINUTE_MS,
      run: () =>
        asOwner(async (owner) =>
          inTurn(await listClinics(owner), (clinic) => forgetHours(owner, utcSession(clinic.clinic_id), now())),
        ),
      failure: 'old sums of the audit log could not be removed',
    },
    {
      // An ended session or link opens nothing. Nobody needs its row.
      name: 'remove_ended_sign_ins',
      everyMs: 60 * MINUTE_MS,
      run: () =>
        asOwner(async (owner) =>
          inTurn(await listClinics(owner), ({ clinic_id }) => removeEndedSignIns(owner, clinic_id, now())),
        ),
      failure: 'ended sessions and links of the console could not be removed',
    },
    {
      // The version before writes rows without one. The console's page gives them one sooner.
      name: 'adopt_integrations',
      everyMs: 60 * MINUTE_MS,
      run: () =>
        asOwner(async (owner) =>
          inTurn(await listClinics(owner), (clinic) => adoptOrphans(owner, utcSession(clinic.clinic_id))),
        ),
      failure: 'integrations of keys and webhooks could not be made',
    },
    {
      // The version before writes names without them. Such a patient is found as written meanwhile.
      name: 'fill_name_sounds',
      everyMs: 10 * MINUTE_MS,
      run: async () => inTurn(await asOwner(clinicsUnheard), (clinic) => fillNameSounds(database, clinic)),
      failure: 'sounds of names could not be filled in',
    },
    {
      // A file is kept for a day: a quarter of one more is a small part of it, and every file is looked at.
      name: 'remove_unused_files',
      everyMs: 6 * 60 * MINUTE_MS,
      run: eachClinic((clinic) => removeUnusedFiles(database, clinic)),
      failure: 'files that nothing refers to could not be removed',
    },
    {
      // A deletion that was killed, and what was under way when it began.
      name: 'delete_clinics',
      everyMs: 60 * MINUTE_MS,
      run: () =>
        asOwner(async (owner) => {
          const deleted = (await listClinics(owner)).filter(({ deleted_at }) => deleted_at !== null)
          await inTurn(deleted, ({ clinic_id }) => deleteRows(owner, clinic_id))
        }),
      failure: 'what is left of deleted clinics could not be removed',
    },
    ...(mailing === null
      ? []
      : [
          {
            // A mail of the week may come some minutes late.
            name: 'send_weekly_mails',
            everyMs: 5 * MINUTE_MS,
            run: () => asOwner((owner) => sendWeeklyMails(owner, { ...mailing, log, now }, stopping)),
            failure: 'weekly mails could not be sent',
          },
        ]),
  ]
}
