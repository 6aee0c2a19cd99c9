// Carries out the console's operations of the clinic's own rule about apps.
import { appRule, setAppRule } from '@clinic-data/connect/consent/app-rule'
import type { appRuleOperations } from '@clinic-data/console-contract/app-rule-operations'
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
      return { output: { data: await setAppRule(consoleDatabase, session.clinic, body.allowed, changing) } }
    },
  }
}
