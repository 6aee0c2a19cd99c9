// Carries out the console's operations of what a clinic demands of those who sign in.
import type { signInDemandOperations } from '@clinic-data/console-contract/sign-in-demand-operations'
import { untilAllWritesEnd } from '@clinic-data/surface/still-valid'
import { setSignInRule, signInRule } from '../people/sign-in-rule.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import type { ConsoleHandlers } from './session-request.ts'

export function signInDemandHandlers(
  parts: Pick<ConsoleParts, 'openId'>,
): Pick<ConsoleHandlers, keyof typeof signInDemandOperations> {
  return {
    signInRule: async ({ session }) => ({ output: { data: signInRule(parts, session) } }),
    setSignInRule: async ({ consoleDatabase, session, body: { demand }, now, record }) => {
      const rule = signInRule(parts, session)
      const held = await setSignInRule(consoleDatabase, session, demand, {
        rule,
        now,
        beside: (tx, demanded) => record(tx, [demanded]),
      })
      return { output: { data: { ...rule, demand } }, until: (database) => untilAllWritesEnd(database, held) }
    },
  }
}
