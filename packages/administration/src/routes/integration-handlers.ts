// Carries out the console's operations of integrations, those of one key, and those of alerts.
import type { alertOperations } from '@clinic-data/console-contract/alert-operations'
import type { integrationOperations } from '@clinic-data/console-contract/integration-operations'
import type { keyOperations } from '@clinic-data/console-contract/key-operations'
import type { Transaction } from '@clinic-data/database'
import type { InSameTransaction } from '../credentials/credentials.ts'
import { changeIntegration, createIntegration } from '../integrations/change-integration.ts'
import { readHome } from '../integrations/home.ts'
import { integrationPage } from '../integrations/integration-page.ts'
import { joinIntegration } from '../integrations/join-integration.ts'
import { listIntegrations } from '../integrations/list-integrations.ts'
import { mergeIntegrations } from '../integrations/merge-integrations.ts'
import { integrationSeenBy, pageSeenBy } from '../integrations/seen-by-role.ts'
import { resumeIntegration, stopIntegration } from '../integrations/stop-integration.ts'
import { markSeen, shownAlerts } from '../pages/alerts.ts'
import { changeKey, keyPage } from '../pages/key-page.ts'
import { setStopRule, stopRules } from '../pages/stop-rules.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import type { ConsoleHandlers } from './session-request.ts'

type Parts = Pick<ConsoleParts, 'usualRate' | 'wait'>

export function integrationHandlers({
  usualRate,
  wait,
}: Parts): Pick<ConsoleHandlers, keyof typeof integrationOperations> {
  return {
    home: async ({ consoleDatabase, session, now }) => {
      const home = await readHome(consoleDatabase, session, now)
      const integrations = home.integrations.map((one) => integrationSeenBy(session.administrator.role, one))
      return { output: { data: { ...home, integrations } } }
    },
    listIntegrations: async ({ consoleDatabase, session: { clinic, administrator }, now }) => {
      const all = await listIntegrations(consoleDatabase, clinic, now)
      return { output: { data: all.map((one) => integrationSeenBy(administrator.role, one)) } }
    },
    integration: async ({ consoleDatabase, session, params: { id = '' }, now }) => {
      const page = await integrationPage(consoleDatabase, session, id, { now, usualRate })
      return { output: { data: pageSeenBy(session.administrator.role, page) } }
    },
    createIntegration: async ({ consoleDatabase, session, body, idempotencyKey: mint_request, now, record }) => ({
      output: { data: await createIntegration(consoleDatabase, session.clinic, body, { mint_request, now, record }) },
    }),
    changeIntegration: async ({ consoleDatabase, session, body, params: { id = '' }, now, record }) => ({
      output: { data: await changeIntegration(consoleDatabase, session.clinic, { ...body, id }, { now, record }) },
    }),
    joinIntegration: async ({ consoleDatabase, session, body: { ids }, params: { id = '' }, now, record }) => ({
      output: { data: await joinIntegration(consoleDatabase, session.clinic, { id, ids }, { now, record }) },
    }),
    mergeIntegration: async ({ consoleDatabase, session, body: { from }, params: { id = '' }, now, record }) => ({
      output: { data: await mergeIntegrations(consoleDatabase, session.clinic, { id, from, now, wait, record }) },
    }),
    stopIntegration: async ({ consoleDatabase, session, params: { id = '' }, now, record }) => {
      const stopping = { id, by: session.administrator.id, now, wait, record }
      return { output: { data: await stopIntegration(consoleDatabase, session.clinic, stopping) } }
    },
    resumeIntegration: async ({ consoleDatabase, session, params: { id = '' }, now, record }) => ({
      output: {
        data: await resumeIntegration(consoleDatabase, session.clinic, {
          id,
          by: session.administrator.id,
          now,
          record,
        }),
      },
    }),
  }
}

export function keyHandlers({ usualRate, wait }: Parts): Pick<ConsoleHandlers, keyof typeof keyOperations> {
  return {
    key: async ({ consoleDatabase, session, params: { id = '' }, now }) => ({
      output: { data: await keyPage(consoleDatabase, session, id, now) },
    }),
    changeKey: async (request) => {
      const { consoleDatabase, session, body, params, now, requireCare, requireApproval, record } = request
      const { id = '' } = params
      const beside: InSameTransaction = (tx, changed) => record(tx, [changed])
      const changing = { now, usualRate, requireCare, requireApproval, wait, beside }
      return { output: { data: await changeKey(consoleDatabase, session, { ...body, id }, changing) } }
    },
  }
}

export function alertHandlers(): Pick<ConsoleHandlers, keyof typeof alertOperations> {
  return {
    listAlerts: async ({ consoleDatabase, session, query }) => ({
      output: await shownAlerts(consoleDatabase, session, query),
    }),
    markAlertSeen: async ({ consoleDatabase, session, params: { id = '' }, now, record }) => {
      const beside: InSameTransaction = (tx, seen) => record(tx, [seen])
      return { output: { data: await markSeen(consoleDatabase, session, { id, now, beside }) } }
    },
    stopRules: async ({ consoleDatabase, session }) => ({
      output: { data: await stopRules(consoleDatabase, session) },
    }),
    setStopRule: async ({ consoleDatabase, session, body, now, record }) => {
      const choice = { ...body, now, beside: (tx: Transaction) => record(tx, [body.rule, body.stops ? 'on' : 'off']) }
      return { output: { data: await setStopRule(consoleDatabase, session, choice) } }
    },
  }
}
