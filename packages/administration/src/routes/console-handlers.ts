// Carries out each operation of the console for a signed-in administrator.

import type { clinicOperations } from '@clinic-data/console-contract/clinic-operations'
import { ACTIVITY_PAGE } from '@clinic-data/console-contract/console-activity'
import type { ConsoleSession } from '@clinic-data/console-contract/console-resources'
import type { patientOperations } from '@clinic-data/console-contract/patient-operations'
import { DELIVERIES_PAGE, type webhookOperations } from '@clinic-data/console-contract/webhook-operations'
import { Problem } from '@clinic-data/contract'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { Transaction } from '@clinic-data/database'
import { ActivityExports, LINES_TYPE } from '../activity-export/export-activity.ts'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { listActivity } from '../pages/activity.ts'
import { listActors } from '../pages/actors.ts'
import { chatSending } from '../pages/chat-sending.ts'
import {
  clinicSettings,
  listConsoleTokens,
  mintConsoleToken,
  readWorkingHours,
  revokeConsoleToken,
} from '../pages/console-clinic.ts'
import { actInDemo, watchDemo } from '../pages/console-demo.ts'
import { listConsoleKeys, mintConsoleKey, revokeConsoleKey } from '../pages/console-keys.ts'
import { sentDelivery, webhookHealth } from '../pages/console-webhooks.ts'
import { findDeliveries } from '../pages/find-deliveries.ts'
import { findPatients } from '../pages/find-patients.ts'
import { listDeliveries } from '../pages/list-deliveries.ts'
import { setLongestLife } from '../pages/longest-life.ts'
import { recordEvents } from '../pages/record-events.ts'
import { readUsage } from '../pages/usage.ts'
import type { Offer } from '../pairings/offer-cookie.ts'
import { eraseAsOwner, lookAtErasure } from '../patients/erase-patient.ts'
import { listPatients } from '../patients/list-patients.ts'
import { PatientArchives } from '../patients/patient-archive.ts'
import { type ActiveSession, endSessions, IDLE_MS, isHeld } from '../sessions/sessions.ts'
import type { SignInCount } from '../sessions/sign-in-count.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { refuseBesideProvider } from '../sign-in/only-provider.ts'
import type { OpenIdProvider } from '../sign-in/openid-provider.ts'
import { addPasskey, challengeToAdd, listPasskeys, mayAddPasskey, removePasskey } from '../sign-in/passkeys.ts'
import { needsNoPassword, setPassword } from '../sign-in/set-password.ts'
import { approvalHandlers } from './approval-handlers.ts'
import { confirmHandlers } from './confirm-handlers.ts'
import { connectHandlers } from './connect-handlers.ts'
import { alertHandlers, integrationHandlers, keyHandlers } from './integration-handlers.ts'
import { pairingHandlers } from './pairing-handlers.ts'
import { peopleHandlers, weeklyMailHandlers } from './people-handlers.ts'
import { appRuleHandlers, groupRoleHandlers, signInDemandHandlers } from './rule-handlers.ts'
import type { ConsoleHandlers, SessionRequest } from './session-request.ts'

/** The handlers have no database but the one of what they are asked. */
type HandlerParts = Omit<ConsoleParts, 'consoleDatabase'>

interface SignInParts {
  provider: OpenIdProvider | null
  signIns: Pick<SignInCount, 'count'>
}

export function consoleHandlers(parts: HandlerParts, { provider, signIns }: SignInParts): ConsoleHandlers {
  const { wait, signInKeys: keys } = parts
  const activityExports = new ActivityExports(parts.log)
  return {
    session: async ({ session, browser: { offer }, now }) => ({
      output: { data: shownSession(parts, session, { offer, now }) },
    }),
    signOut: async ({ consoleDatabase, session, body, record }) => {
      await endSessions(consoleDatabase, session, body.everywhere ?? false, (tx) => record(tx, []))
      return { output: null, isEnd: true }
    },
    setPassword: async ({ consoleDatabase, session, body, now, requireCare, record }) => {
      refuseBesideProvider(parts)
      const { password, current_password } = body
      const cost = parts.passwordCost
      const beside = (tx: Transaction) => record(tx, [])
      await setPassword(consoleDatabase, session, { password, current_password, now, cost, requireCare, beside })
      return { output: null, endsOthers: true }
    },
    listKeys: async ({ consoleDatabase, session, now }) => ({
      output: { data: await listConsoleKeys(consoleDatabase, session, now) },
    }),
    mintKey: async ({ consoleDatabase, session, body, idempotencyKey: mint_request, now, requireApproval, record }) => {
      const beside: InSameTransaction = (tx, id) => record(tx, [id])
      const minting = { mint_request, now, requireApproval, beside }
      const minted = await mintConsoleKey(consoleDatabase, session, body, minting)
      return { output: { data: minted } }
    },
    revokeKey: async ({ consoleDatabase, session, params, now, record }) => {
      const beside: InSameTransaction = (tx, id) => record(tx, [id])
      const revoked = await revokeConsoleKey(consoleDatabase, session, { id: params.id ?? '', now, wait, beside })
      return { output: { data: revoked } }
    },
    listPasskeys: async ({ consoleDatabase, session }) => ({
      output: { data: await listPasskeys(consoleDatabase, session) },
    }),
    passkeyChallenge: async ({ session, now }) => {
      refuseBesideProvider(parts)
      return { output: { data: challengeToAdd(keys, session, now) } }
    },
    addPasskey: async ({ consoleDatabase, session, body, address, now, record }) => {
      refuseBesideProvider(parts)
      const beside = (tx: Transaction, id: string) => record(tx, [id])
      return { output: { data: await addPasskey(consoleDatabase, session, body, { keys, address, now, beside }) } }
    },
    removePasskey: async ({ consoleDatabase, session, params, record }) => {
      await removePasskey(consoleDatabase, session, { id: params.id ?? '', beside: (tx, id) => record(tx, [id]) })
      return { output: null, endsOthers: true }
    },
    listActivity: async ({ consoleDatabase, session: { clinic }, query, now }) => {
      const { limit = ACTIVITY_PAGE.default } = query
      return { output: await listActivity(consoleDatabase, clinic, { ...query, limit }, now) }
    },
    exportActivity: async ({ consoleDatabase, session: { clinic }, body, now, isGone, record }) => {
      const content = await activityExports.begin(consoleDatabase, clinic, body, { now, isGone, record })
      return { output: null, file: { name: 'activity.ndjson', type: LINES_TYPE, content } }
    },
    findPatients: async ({ consoleDatabase, session, body: { words }, record }) => ({
      output: { data: await findPatients(consoleDatabase, session, words, (tx, ids) => record(tx, ids, ids)) },
    }),
    listActors: async ({ consoleDatabase, session }) => ({
      output: { data: await listActors(consoleDatabase, session.clinic) },
    }),
    usage: async ({ consoleDatabase, session: { clinic }, query, now }) => {
      const { period = 'day', key_id } = query
      return { output: { data: await readUsage({ ...parts, consoleDatabase }, clinic, { period, key_id }, now) } }
    },
    ...confirmHandlers(parts, provider, signIns),
    ...webhookHandlers(parts),
    ...clinicHandlers(parts),
    ...connectHandlers(parts),
    ...peopleHandlers(parts),
    ...integrationHandlers(parts),
    ...keyHandlers(parts),
    ...appRuleHandlers(parts),
    ...signInDemandHandlers(parts),
    ...groupRoleHandlers(parts),
    ...weeklyMailHandlers(parts),
    ...approvalHandlers(),
    ...pairingHandlers(parts),
    ...alertHandlers(),
    ...patientHandlers(parts),
  }
}

function webhookHandlers({ webhookKeys }: HandlerParts): Pick<ConsoleHandlers, keyof typeof webhookOperations> {
  return {
    webhookHealth: async ({ consoleDatabase, session, now }) => ({
      output: { data: await webhookHealth(consoleDatabase, session, now) },
    }),
    listDeliveries: async ({ consoleDatabase, session, params, query, now }) => {
      const { limit = DELIVERIES_PAGE.default } = query
      return { output: await listDeliveries(consoleDatabase, session, params.id ?? '', { ...query, limit, now }) }
    },
    findDeliveries: async ({ consoleDatabase, session, params, query, now, record }) => {
      const search = { limit: DELIVERIES_PAGE.default, ...query, now, beside: record }
      return { output: await findDeliveries(consoleDatabase, session, params.id ?? '', search) }
    },
    recordEvents: async ({ consoleDatabase, session, query, now, record }) => ({
      output: await recordEvents(consoleDatabase, session, { ...query, now, beside: record }),
    }),
    sentDelivery: async ({ consoleDatabase, session, params, now, record }) => {
      const ids = { id: params.id ?? '', delivery_id: params.delivery_id ?? '' }
      return {
        output: { data: await sentDelivery(consoleDatabase, session, ids, { webhookKeys, now, beside: record }) },
      }
    },
  }
}

function clinicHandlers(parts: HandlerParts): Pick<ConsoleHandlers, keyof typeof clinicOperations> {
  return {
    clinicSettings: async ({ session }) => ({ output: { data: clinicSettings(parts, session) } }),
    workingHours: async ({ consoleDatabase, session }) => ({
      output: { data: await readWorkingHours(consoleDatabase, session) },
    }),
    setLongestLife: async ({ consoleDatabase, session, body, requireCare, record }) => {
      const beside: InSameTransaction = (tx, id) => record(tx, [id])
      await setLongestLife(consoleDatabase, session.clinic, body, { requireCare, beside })
      return { output: { data: { days: body.days } } }
    },
    chatSending: async ({ consoleDatabase, session, now }) => ({
      output: { data: await chatSending(consoleDatabase, session, now) },
    }),
    listTokens: async ({ consoleDatabase, session }) => ({
      output: { data: await listConsoleTokens(consoleDatabase, session) },
    }),
    mintToken: async ({ consoleDatabase, session, body, idempotencyKey: mint_request, now, record }) => {
      const beside: InSameTransaction = (tx, id) => record(tx, [id])
      const minted = await mintConsoleToken(consoleDatabase, session, body.name, { mint_request, now, beside })
      return { output: { data: minted } }
    },
    revokeToken: async ({ consoleDatabase, session, params, now, record }) => {
      const beside: InSameTransaction = (tx, id) => record(tx, [id])
      return {
        output: { data: await revokeConsoleToken(consoleDatabase, session, { id: params.id ?? '', now, beside }) },
      }
    },
    actInDemo: async ({ consoleDatabase, session, body: { action }, record }) => {
      await actInDemo({ ...parts, consoleDatabase }, session, { action, beside: (tx) => record(tx, []) })
      return { output: null }
    },
    watchDemo: async ({ consoleDatabase, session }) => ({
      output: { data: await watchDemo({ ...parts, consoleDatabase }, session) },
    }),
  }
}

function patientHandlers({ patientRights }: HandlerParts): Pick<ConsoleHandlers, keyof typeof patientOperations> {
  const archives = new PatientArchives()
  const rights = () => patientRights ?? refuseAbsent()
  const patientOf = ({ params: { id = '' }, body: { include_doubtful } }: AboutPatient) => ({
    patient_id: id,
    withDoubtful: include_doubtful,
  })
  return {
    listPatients: async ({ consoleDatabase, session, body, now, record }) => ({
      output: await listPatients(consoleDatabase, session, body, { now, beside: (tx, ids) => record(tx, ids, ids) }),
    }),
    exportPatient: async (request) => {
      const { consoleDatabase, session, now, record } = request
      const about = patientOf(request)
      const { patient_id } = about
      const { clinic } = session
      const audit = () => consoleDatabase.write(clinic, async (tx) => record(tx, [patient_id], [patient_id]))
      // Each of its writes asks whether the session still may.
      const stillMay = () => consoleDatabase.write(clinic, async () => undefined)
      const content = await archives.make(rights(), clinic, { ...about, now, audit, stillMay })
      return { output: null, file: { name: ARCHIVE, type: 'application/zip', content } }
    },
    lookAtErasure: async (request) => {
      const { consoleDatabase, session, record } = request
      const data = await lookAtErasure(rights(), session.clinic, patientOf(request))
      const { patient_id } = data
      await consoleDatabase.write(session.clinic, async (tx) => record(tx, [patient_id], [patient_id]))
      return { output: { data } }
    },
    erasePatient: async (request) => {
      const { session, now, stillValid, requireApproval, record } = request
      const about = patientOf(request)
      const { patient_id } = about
      const beside = async (tx: Transaction) => {
        await stillValid(tx)
        // The id alone: the request is kept, and its patient's name goes.
        await requireApproval(tx, { isNeeded: true, shown: { name: patient_id } })
        record(tx, [patient_id], [patient_id])
      }
      return { output: { data: await eraseAsOwner(rights(), session.clinic, { ...about, now, beside }) } }
    },
  }
}

type AboutPatient = Pick<SessionRequest<'exportPatient' | 'lookAtErasure' | 'erasePatient'>, 'params' | 'body'>

/** For whoever asks without the page, which gives it a name of its own. */
const ARCHIVE = 'patient.zip'

function refuseAbsent(): never {
  throw new Problem('not-found', 'Nobody is exported or erased here.')
}

/** A session as its browser sees it: without its token. */
export function shownSession(
  { baseUrl, openId, connect }: HandlerParts,
  session: ActiveSession,
  { offer, now }: { offer: Offer | null; now: Date },
): ConsoleSession {
  const { clinic, expiresAt } = session
  const { is_bound, ...administrator } = session.administrator
  return {
    administrator: { ...administrator, has_provider_account: is_bound && openId !== null },
    clinic: { ...clinic, week_start: WEEK_STARTS[clinic.week_start] },
    api_url: baseUrl,
    connects_apps: connect != null,
    needs_no_password: needsNoPassword(session, now),
    longest_life_days: session.longestLifeDays,
    held: isHeld(session) ? { demand: session.demand, may_add_passkey: mayAddPasskey(session) } : null,
    has_pairings: session.hasPairings,
    is_paired: session.pairingId !== null,
    offered: offer && { clinic_id: offer.clinic_id, name: offer.clinic_name, email: offer.email },
    expires_at: zonedInstant(expiresAt, clinic.time_zone, 3),
    idle_seconds: IDLE_MS / 1000,
  }
}

const WEEK_STARTS = ['sunday', 'monday'] as const
