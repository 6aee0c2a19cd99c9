// Carries out the console's operations of the clinic's own rules: about apps, about how people sign in, and about roles by group.
import { appRule, setAppRule } from '@clinic-data/connect/consent/app-rule'
import type { appRuleOperations } from '@clinic-data/console-contract/app-rule-operations'
import type { groupRoleOperations } from '@clinic-data/console-contract/group-role-operations'
import type { signInDemandOperations } from '@clinic-data/console-contract/sign-in-demand-operations'
import { untilAllWritesEnd } from '@clinic-data/surface/still-valid'
import { listGroupRoles, setGroupRole } from '../openid/group-roles.ts'
import { untilPersonsEnd } from '../people/person-connections.ts'
import { setSignInRule, signInRule } from '../people/sign-in-rule.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { connectOf } from './connect-handlers.ts'
import type { ConsoleHandlers } from './session-request.ts'

export function appRuleHandlers(
  parts: Pick<ConsoleParts, 'connect' | 'wait'>,
): Pick<ConsoleHandlers, keyof typeof appRuleOperations> {
  return {
    appRule: async ({ consoleDatabase, session, now }) => {
      connectOf(parts)
      return { output: { data: await appRule(consoleDatabase, session.clinic, now) } }
    },
    setAppRule: async ({ consoleDatabase, session, body, now, requireCare, record }) => {
      connectOf(parts)
      const changing = { now, record, wait: parts.wait, requireCare }
      return { output: { data: await setAppRule(consoleDatabase, session.clinic, body, changing) } }
    },
  }
}

export function signInDemandHandlers(
  parts: Pick<ConsoleParts, 'openId'>,
): Pick<ConsoleHandlers, keyof typeof signInDemandOperations> {
  return {
    signInRule: async ({ session }) => ({ output: { data: signInRule(parts, session) } }),
    setSignInRule: async ({ consoleDatabase, session, body, now, record }) => {
      const rule = signInRule(parts, session)
      const held = await setSignInRule(consoleDatabase, session, body, {
        rule,
        now,
        beside: (tx, demanded) => record(tx, [demanded]),
      })
      return {
        output: { data: { ...rule, demand: body.demand } },
        until: (database) => untilAllWritesEnd(database, held),
      }
    },
  }
}

export function groupRoleHandlers(
  parts: Pick<ConsoleParts, 'openId' | 'wait'>,
): Pick<ConsoleHandlers, keyof typeof groupRoleOperations> {
  const is_offered = parts.openId?.tellsGroups ?? false
  return {
    groupRoles: async ({ consoleDatabase, session }) => ({
      output: { is_offered, data: await listGroupRoles(consoleDatabase, session) },
    }),
    setGroupRole: async (request) => {
      const { consoleDatabase, session, body, record, now, requireCare, requireApproval } = request
      const ends = await setGroupRole(consoleDatabase, session, {
        ...body,
        isOffered: is_offered,
        now,
        requireCare,
        requireApproval,
        beside: (tx) => record(tx, [body.group, ...(body.role === null ? [] : [body.role])]),
      })
      return {
        output: { is_offered, data: await listGroupRoles(consoleDatabase, session) },
        until: async (database) => {
          for (const end of ends) await untilPersonsEnd(database, end, parts.wait)
        },
      }
    },
  }
}
