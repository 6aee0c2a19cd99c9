// Every rule of the port, in the order in which they are tried.
import type { Rule } from './rule.ts'
import { answerRules } from './rules/answer-rules.ts'
import { auditRules } from './rules/audit-rules.ts'
import { availabilityRules } from './rules/availability-rules.ts'
import { chatRules } from './rules/chat-rules.ts'
import { eventRules } from './rules/event-rules.ts'
import { fileRules } from './rules/file-rules.ts'
import { filterRules } from './rules/filter-rules.ts'
import { idRules } from './rules/id-rules.ts'
import { isolationRules } from './rules/isolation-rules.ts'
import { keyRules, scopeRules } from './rules/key-rules.ts'
import { leadRules } from './rules/lead-rules.ts'
import { orderRules } from './rules/order-rules.ts'
import { pageRules } from './rules/page-rules.ts'
import { paymentRules } from './rules/payment-rules.ts'
import { periodRules } from './rules/period-rules.ts'
import { portRules } from './rules/port-rules.ts'
import { searchRules } from './rules/search-rules.ts'
import { severalCallsRules } from './rules/several-calls-rules.ts'
import { unknownIdRules } from './rules/unknown-id-rules.ts'
import { writeRules } from './rules/write-rules.ts'

export const rules: readonly Rule[] = [
  ...portRules,
  ...severalCallsRules,
  ...keyRules,
  ...answerRules,
  ...pageRules,
  ...orderRules,
  ...filterRules,
  ...unknownIdRules,
  ...periodRules,
  ...searchRules,
  ...idRules,
  ...availabilityRules,
  ...scopeRules,
  ...isolationRules,
  ...fileRules,
  ...auditRules,
  ...writeRules,
  ...leadRules,
  ...paymentRules,
  ...chatRules,
  ...eventRules,
]
