// A simulated platform, its clock, and what it has reported.
import assert from 'node:assert/strict'
import { seeded, TestClock } from '@clinic-data/testing/test-clock'
import type { PlatformReport, ReceiptReport } from '../src/messaging-platform.ts'
import { SimulatedPlatform } from '../src/simulated.ts'
import { QUIET_DAY, type SimulationRules } from '../src/simulated-history.ts'

export const account = { clinic_id: 'north', account_id: '106540352242922', phone: '+97248123456' }
export const never = new AbortController().signal

export interface Heard {
  report: PlatformReport
  arrivedMs: number
}

export function setUp(rules: Partial<SimulationRules> = {}, seed = 1) {
  const clock = new TestClock()
  const heard: Heard[] = []
  const platform = new SimulatedPlatform({
    onReports: async (account_id, reports) => {
      for (const report of reports) {
        assert.equal(report.account_id, account_id)
        heard.push({ report, arrivedMs: clock.now().getTime() })
      }
    },
    rules,
    random: seeded(seed),
    clock,
  })
  const start = (to_phone: string, number = 1, signal = never) =>
    platform.send(account, { message_id: `out_${number}`, to_phone, content: { kind: 'text', text: 'Hello' } }, signal)
  const send = async (to_phone: string, number = 1) => {
    const sending = start(to_phone, number)
    await clock.run(rules.answer?.[1] ?? QUIET_DAY.answer[1])
    return sending
  }
  const receipts = () => heard.map(({ report }) => report as ReceiptReport)
  return { clock, heard, platform, start, send, receipts }
}
