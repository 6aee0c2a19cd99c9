// Mutants of a second person's approval.
import type { Mutant } from './mutant.ts'

const by = 'packages/administration/test/approvals.test.ts'
const operations = 'packages/administration/test/approved-operations.test.ts'
const SPEND = 'packages/administration/src/approvals/spend-approval.ts'
const DECIDE = 'packages/administration/src/approvals/decide.ts'
const ASK = 'packages/administration/src/approvals/ask-for-approval.ts'

const MAIL = 'packages/administration/src/approvals/approval-mail.ts'
const mailed = 'packages/administration/test/approval-mail.test.ts'
const told = 'everybody who may approve is told that somebody waits, in both languages, and not for what'
const seldom = 'the same request again tells nobody anew, and many of one person are told a few times'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an approval is used once',
    file: SPEND,
    from: 'if (rowCount === 0) throw new ApprovalRequired(subject)',
    to: 'if (rowCount === 2) throw new ApprovalRequired(subject)',
    caught: { by, test: 'one approval lets one of two requests at once through' },
  },
  {
    breaks: 'the same request again is no second use',
    file: SPEND,
    from: "(p.used_at is null or (p.used_request = ${idempotencyKey} and p.used_request <> ''))",
    to: 'p.used_at is null',
    caught: { by, test: 'the same request again is no second use, and a lost answer is told as ever' },
  },
  {
    breaks: 'an approval is of this person',
    file: SPEND,
    from: 'and p.asked_by = ${administrator.id} and p.request_hash',
    to: 'and p.asked_by <> ${clinic_id} and ${administrator.id} <> ${clinic_id} and p.request_hash',
    caught: { by, test: 'asking for the same again is one request, and anything else is another one' },
  },
  {
    breaks: 'an approval ends with the account of whoever gave it',
    file: SPEND,
    from: 'and d.disabled_at is null and d.role',
    to: 'and d.role',
    caught: { by, test: 'an approval ends with whoever gave it: with the account, and with the role' },
  },
  {
    breaks: 'an approval ends with the role of whoever gave it',
    file: SPEND,
    from: 'and d.role = any(${rolesOf.approve}))',
    to: 'and d.role <> any(${rolesOf.approve}))',
    caught: { by, test: 'an approval ends with whoever gave it: with the account, and with the role' },
  },
  {
    breaks: 'an approval lasts a day',
    file: SPEND,
    from: 'and p.is_approved and p.expires_at > ${now} and ${unused}',
    to: "and p.is_approved and p.expires_at > ${now}::timestamptz - interval '30 days' and ${unused}",
    caught: {
      by,
      test: 'a refused, a withdrawn and an expired request are over, and so is an approval that is taken back or too old',
    },
  },
  {
    breaks: 'what is shown is approved with the request',
    file: 'packages/administration/src/approvals/approval-required.ts',
    from: 'contentHash([operation, params, body, shown])',
    to: 'contentHash([operation, params, body, shown.name])',
    caught: { by: operations, test: 'a key that changed since is not the one that was approved' },
  },
  {
    breaks: 'nobody approves what one has asked for oneself',
    file: DECIDE,
    from: '(asked_by.id === administrator.id) !== isAskers',
    to: '(asked_by.id !== asked_by.id) !== isAskers',
    caught: { by, test: 'nobody approves what one has asked for oneself, and whoever may make no keys approves none' },
  },
  {
    breaks: 'an expired request is not approved',
    file: DECIDE,
    from: 'and withdrawn_at is null and expires_at > ${now} and ${of}',
    to: 'and withdrawn_at is null and expires_at > ${id}::text::date and ${of}',
    caught: {
      by,
      test: 'a refused, a withdrawn and an expired request are over, and so is an approval that is taken back or too old',
    },
  },
  {
    breaks: 'one person waits for at most so many',
    file: ASK,
    from: '!isKnown && waiting.length >= APPROVALS.most_waiting',
    to: '!isKnown && waiting.length > APPROVALS.most_waiting',
    caught: { by, test: 'one person waits for at most so many, and is told' },
  },
  {
    breaks: 'whoever asks for the same again waits for no more',
    file: ASK,
    from: '!isKnown && waiting.length >= APPROVALS.most_waiting',
    to: 'waiting.length >= APPROVALS.most_waiting',
    caught: { by, test: 'one person waits for at most so many, and is told' },
  },
  {
    breaks: 'a member sees its own requests alone',
    file: 'packages/administration/src/approvals/approvals.ts',
    from: 'return mayApprove(role) ? sql`true`',
    to: 'return mayApprove(role) || role === "member" ? sql`true`',
    caught: { by: operations, test: 'a member asks for an app, sees its own requests alone, and may withdraw them' },
  },
  {
    breaks: 'it is turned on only where another one could approve',
    file: 'packages/administration/src/approvals/approval-rule.ts',
    from: 'is_on && approvers < FEWEST_APPROVERS',
    to: 'is_on && approvers < 1',
    caught: {
      by: operations,
      test: 'an owner turns it on where another one could approve, and off only with an approval',
    },
  },
  {
    breaks: 'turning it off is approved, too',
    file: 'packages/administration/src/approvals/approval-rule.ts',
    from: 'isNeeded: !is_on,',
    to: 'isNeeded: is_on,',
    caught: {
      by: operations,
      test: 'an owner turns it on where another one could approve, and off only with an approval',
    },
  },
  {
    breaks: 'nothing of before is under way when it is turned on',
    file: 'packages/surface/src/still-valid.ts',
    from: 'for (const holder of holders) await untilWritesEnd(owner, holder)',
    to: 'for (const holder of holders.slice(0, 0)) await untilWritesEnd(owner, holder)',
    caught: { by: operations, test: 'a key that is under way when it is turned on is made before the answer' },
  },
  {
    breaks: 'the log names the approval beside what it let through',
    file: 'packages/administration/src/routes/session-route.ts',
    from: 'approving?.spent ? [...changed, approving.spent] : changed',
    to: 'approving?.spent ? [...changed] : changed',
    caught: { by, test: 'the audit log holds who asked, who approved and what was done by it' },
  },
  {
    breaks: 'a key that lasts longer is approved',
    file: 'packages/administration/src/pages/key-page.ts',
    from: 'isNeeded: isWider && opensPatients(stored.scopes)',
    to: 'isNeeded: isFaster && opensPatients(stored.scopes)',
    caught: { by: operations, test: 'what opens patients’ data wider waits, and what opens none or narrows goes on' },
  },
  {
    breaks: 'a second account of a manager is approved',
    file: 'packages/administration/src/people/invitations.ts',
    from: 'isNeeded: opensApproving(role, null)',
    to: "isNeeded: role === 'owner'",
    caught: { by: operations, test: 'what opens patients’ data wider waits, and what opens none or narrows goes on' },
  },
  {
    breaks: 'an app that changed is another request',
    file: 'packages/connect/src/consent/new-connection.ts',
    from: 'return { name, app_id, host, is_verified, audience }',
    to: 'return { name, host, is_verified, audience }',
    caught: { by: operations, test: 'an app is approved by what it may do, for whichever request it comes with' },
  },
  {
    breaks: 'a webhook that is refused uses no approval up',
    file: 'packages/administration/src/routes/careful-backend.ts',
    from: 'error instanceof Problem && error.status < 500',
    to: 'error instanceof Problem && error.status > 500',
    caught: {
      by: 'packages/administration/test/careful-webhooks.test.ts',
      test: 'an approval is given back when the webhook that it let through is refused',
    },
  },
  {
    breaks: 'an approval by which something was done is not given back',
    file: SPEND,
    from: 'and id = ${id} and used_at = ${usedAt}`)',
    to: 'and id = ${id} and ${usedAt}::timestamptz is not null`)',
    caught: {
      by: 'packages/administration/test/careful-webhooks.test.ts',
      test: 'an approval is given back when the webhook that it let through is refused',
    },
  },
  {
    breaks: 'a change that renames a key is known by the name that the key has',
    file: 'packages/console/src/approvals/requested.ts',
    from: '...wanted, ...about, ...renamed }',
    to: '...wanted, ...about, name: name ?? about.name }',
    caught: {
      by: 'packages/console/test/approvals.test.ts',
      test: 'a change that also renames a key is known by the name that the key has',
    },
  },
  {
    breaks: 'whoever approves a key reads that it has no end',
    file: 'packages/console/src/approvals/requested.ts',
    from: "'console.keys.mint': { expires_at: null, networks: null },",
    to: "'console.keys.mint': { networks: null },",
    caught: {
      by: 'packages/console/test/approvals.test.ts',
      test: 'whoever approves reads what a request leaves out: a key without an end, a webhook of all events',
    },
  },
  {
    breaks: 'a webhook is compared under the locks of its change',
    file: 'packages/administration/src/approvals/weighed-webhook.ts',
    from: "if (!isSame) throw new Problem('conflict', CHANGED_MEANWHILE)",
    to: "if (!isSame && now.id === '') throw new Problem('conflict', CHANGED_MEANWHILE)",
    caught: {
      by: 'packages/administration/test/careful-webhooks.test.ts',
      test: 'a change that opened nothing when it was weighed opens nothing either when somebody has narrowed the webhook since',
    },
  },
  {
    breaks: 'an administrator is made an owner after an approval',
    file: 'packages/console-contract/src/roles.ts',
    from: '(former === null || mayMore(role, former))',
    to: '(former === null || !mayApprove(former))',
    caught: { by: operations, test: 'what opens patients’ data wider waits, and what opens none or narrows goes on' },
  },
  {
    breaks: 'a webhook waits for an approval',
    file: 'packages/administration/src/routes/careful-backend.ts',
    from: 'if (!mayNeedApproval) return handle',
    to: 'if (mayNeedApproval) return handle',
    caught: {
      by: 'packages/administration/test/careful-webhooks.test.ts',
      test: 'where the clinic wants approvals a webhook is made and sent elsewhere after one, and narrowed without',
    },
  },
  {
    breaks: 'a form goes on by itself once it is approved',
    file: 'packages/console/src/approvals/wait-dialog.tsx',
    from: 'approving.settle(true)',
    to: 'approving.settle(false)',
    caught: {
      by: 'test/console/approvals.test.ts',
      test: 'an owner turns it on, and a key waits over its form and goes on by itself once it is approved',
    },
  },
  {
    breaks: 'whoever may approve nothing is not mailed',
    file: MAIL,
    from: 'and role = any(${rolesOf.approve}) and disabled_at is null',
    to: 'and ${rolesOf.approve}::text[] is not null and disabled_at is null',
    caught: { by: mailed, test: told },
  },
  {
    breaks: 'a disabled person is not mailed',
    file: MAIL,
    from: 'and role = any(${rolesOf.approve}) and disabled_at is null',
    to: 'and role = any(${rolesOf.approve})',
    caught: { by: mailed, test: told },
  },
  {
    breaks: 'whoever asked is not mailed',
    file: MAIL,
    from: 'and id <> ${administrator.id} order by',
    to: "and id <> 'x' || ${administrator.id} order by",
    caught: { by: mailed, test: told },
  },
  {
    breaks: 'many requests of one person are mailed a few times',
    file: MAIL,
    from: '> APPROVALS.most_mailed_an_hour) return []',
    to: '> 2 * APPROVALS.most_mailed_an_hour) return []',
    caught: { by: mailed, test: seldom },
  },
  {
    breaks: 'the same request again is mailed once',
    file: 'packages/administration/src/approvals/approving.ts',
    from: 'if (isNew) await mailApprovers',
    to: 'if (isNew || by.now) await mailApprovers',
    caught: { by: mailed, test: seldom },
  },
]
