// The operations of a clinic's own rule about apps.
import { choice, object, type Static, whole } from '@clinic-data/contract/schema'
import { CONNECTIONS } from './connect-operations.ts'
import { changeOf, consoleOperation } from './console-operation.ts'

/** Any that the operator allows, those that the operator has verified, or none. */
export const appRules = ['any', 'verified', 'none'] as const

const allowed = choice(appRules)
const ends = whole(0, CONNECTIONS)

export const AppRule = object({
  allowed,
  would_end: object(
    { verified: ends, none: ends },
    { description: 'How many of the connections that last each rule would end.' },
  ),
})

export type AppRule = Static<typeof AppRule>

export const appRuleOperations = {
  appRule: consoleOperation({
    id: 'console.connect.rule',
    method: 'GET',
    path: '/console/api/connect/rule',
    output: object({ data: AppRule }),
  }),
  /** Ends the connections that it does not allow, and answers when these are refused everywhere. */
  setAppRule: consoleOperation({
    id: 'console.connect.set_rule',
    method: 'POST',
    path: '/console/api/connect/rule',
    audited: 'console.connect.set_rule',
    body: changeOf({ allowed }),
    output: object({ data: AppRule }),
  }),
} as const
