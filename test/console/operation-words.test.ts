// The activity says in words what each operation does: those of the contract, of the console and of the clinic's own systems.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATOR_OPERATIONS } from '@clinic-data/audit/operator-audit'
import { WATCH_STOPPED } from '@clinic-data/audit/watch-audit'
import { ingestOperations } from '@clinic-data/backend/ingest/operations'
import { APPROVAL_ASKED, APPROVAL_SPENT } from '@clinic-data/console-contract/approval-operations'
import { CONFIRMED_BY_PROVIDER } from '@clinic-data/console-contract/confirm-operations'
import { allConsoleOperations } from '@clinic-data/console-contract/console-operations'
import { GROUP_ENDED, ROLE_BY_GROUP } from '@clinic-data/console-contract/group-role-operations'
import { OPENID_AUDITED } from '@clinic-data/console-contract/openid-operations'
import { operations as en } from '@clinic-data/console-words/en/operations'
import { operations as he } from '@clinic-data/console-words/he/operations'
import { allOperations } from '@clinic-data/contract'

test('every operation that the audit log can name has its words, in both languages, and no other has', () => {
  const audited = [
    ...allOperations.map(({ id }) => id),
    ...allConsoleOperations.flatMap(({ audited }) => audited ?? []),
    // What an app does with its tokens.
    ...['connect.token', 'connect.refresh', 'connect.revoke', 'connect.reused', 'connect.elsewhere'],
    // A key that is used from elsewhere is refused before anybody knows for what.
    'mcp',
    ...ingestOperations.map(({ id }) => `ingest.${id}`),
    ...OPERATOR_OPERATIONS,
    WATCH_STOPPED,
    OPENID_AUDITED,
    CONFIRMED_BY_PROVIDER,
    ...[ROLE_BY_GROUP, GROUP_ENDED],
    ...[APPROVAL_ASKED.operation, APPROVAL_SPENT.operation],
    // Rows of earlier versions do not tell the way in.
    'console.sign_in',
    // A file link, a delivery to a webhook, and the reports of a messaging platform.
    'files.get',
    'webhooks.deliver',
    'ingest.whatsapp',
  ]
  const expected = [...new Set(audited)].sort()
  assert.deepEqual(Object.keys(en).sort(), expected)
  assert.deepEqual(Object.keys(he).sort(), expected)
})
