// Carries out the console's operations of a second person's approval.
import type { approvalOperations } from '@clinic-data/console-contract/approval-operations'
import { untilAllWritesEnd } from '@clinic-data/surface/still-valid'
import { approvalRule, setApprovalRule } from '../approvals/approval-rule.ts'
import { findApproval, listApprovals } from '../approvals/approvals.ts'
import { approve, refuse, withdraw } from '../approvals/decide.ts'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ConsoleHandlers, SessionOperation, SessionRequest } from './session-request.ts'

type Any = Omit<SessionRequest<SessionOperation>, 'body' | 'query'>

export function approvalHandlers(): Pick<ConsoleHandlers, keyof typeof approvalOperations> {
  const decided =
    (decide: typeof approve) =>
    async ({ consoleDatabase, session, params: { id = '' }, now, record }: Any) => {
      const beside: InSameTransaction = (tx, decidedId) => record(tx, [decidedId])
      await decide(consoleDatabase, session, { id, now, beside })
      return { output: { data: await findApproval(consoleDatabase, session, id, now) } }
    }
  return {
    listApprovals: async ({ consoleDatabase, session, now }) => {
      const [data, rule] = await Promise.all([
        listApprovals(consoleDatabase, session, now),
        approvalRule(consoleDatabase, session),
      ])
      return { output: { data, rule } }
    },
    approve: decided(approve),
    refuseApproval: decided(refuse),
    withdrawApproval: decided(withdraw),
    setApprovalRule: async ({ consoleDatabase, session, body: { is_on }, requireApproval, record }) => {
      const beside: InSameTransaction = (tx, id) => record(tx, [id])
      const setting = { requireApproval, beside }
      const { rule, others } = await setApprovalRule(consoleDatabase, session, is_on, setting)
      return { output: { data: rule }, until: (database) => untilAllWritesEnd(database, others) }
    },
  }
}
