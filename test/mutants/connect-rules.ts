// Mutants of the rules about whose connections last beside which others, and which apps a clinic allows.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a clinic that allows only verified apps connects no other one',
    file: 'packages/connect/src/tokens/connection-state.ts',
    from: "(clinic.allowed_apps = 'verified' and ${isVerified})",
    to: "(clinic.allowed_apps = 'verified' or ${isVerified})",
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'where the clinic allows verified, a consent and a device get what the rule says, and the page is told before',
    },
  },
  {
    breaks: 'a person’s yes connects no app that the clinic does not allow',
    file: 'packages/connect/src/consent/new-connection.ts',
    from: 'requireAllowed(tx, clinic, app)',
    to: '',
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'where the clinic allows none, a consent and a device get what the rule says, and the page is told before',
    },
  },
  {
    breaks: 'whoever widens a connection may give all of its scopes now',
    file: 'packages/connect/src/connections/change-connection.ts',
    from: 'if (isWider) await requireGiver(tx, { clinic_id, id: by }, scopes)',
    to: 'void requireGiver; void by',
    caught: {
      by: 'packages/administration/test/member-connections.test.ts',
      test: 'a member widens no connection beyond what the clinic lets members give now, and narrows and ends it still',
    },
  },
  {
    breaks: 'a stricter rule of a clinic ends the connections that it does not allow',
    file: 'packages/connect/src/consent/app-rule.ts',
    from: "const ended = await endWithin(tx, { clinic_id, which, reason: 'not_allowed', now })",
    to: 'const ended: string[] = []; void which; void endWithin',
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'a stricter rule ends the connections that it does not allow, says before how many, and is on record with them',
    },
  },
  {
    breaks: 'a consent under way waits for a change of the clinic’s rule',
    file: 'packages/connect/src/consent/app-rule.ts',
    from: 'tx.send(sharedLock(lockFor(clinic.clinic_id)))',
    to: 'void sharedLock',
    caught: {
      by: 'packages/administration/test/app-rule.test.ts',
      test: 'no consent slips through beside a change of the rule',
    },
  },
  {
    breaks: 'a website’s newer consent takes the place of the older one',
    file: 'packages/connect/src/tokens/take-place.ts',
    from: "await endWithin(tx, { clinic_id, which: sql`id = any(${ids}::text[])`, reason: 'replaced', now })",
    to: 'void endWithin',
    caught: {
      by: 'packages/connect/test/second-consent.test.ts',
      test: 'a site’s newer consent takes the place of the older one once its code is exchanged, and not before',
    },
  },
  {
    breaks: 'a program on another computer ends no connection',
    file: 'packages/connect/src/tokens/take-place.ts',
    from: "and c.place = 'web'",
    to: 'and c.place is not null',
    caught: {
      by: 'packages/connect/test/second-consent.test.ts',
      test: 'programs on computers, other people, other apps and other audiences stand beside each other',
    },
  },
  {
    breaks: 'one person’s consent ends no connection of another one',
    file: 'packages/connect/src/tokens/take-place.ts',
    from: 'o.app_id = c.app_id and o.administrator_id = c.administrator_id',
    to: 'o.app_id = c.app_id',
    caught: {
      by: 'packages/connect/test/second-consent.test.ts',
      test: 'programs on computers, other people, other apps and other audiences stand beside each other',
    },
  },
  {
    breaks: 'a connection that takes the place of another gets only the webhooks that its scopes allow',
    file: 'packages/connect/src/tokens/take-place.ts',
    from: 'and (enabled or is_paused) and not ${lost}',
    to: 'and (enabled or is_paused) and (not ${lost} or true)',
    caught: {
      by: 'packages/connect/test/second-consent.test.ts',
      test: 'the newer connection has the webhooks that its scopes allow, and the others end',
    },
  },
  {
    breaks: 'a write of an app that lost its scope meanwhile is not stored',
    file: 'packages/surface/src/still-valid.ts',
    from: 'if (scope !== null && !may) throw scopeTaken(scope)',
    to: 'void scopeTaken',
    caught: {
      by: 'packages/administration/test/ended-meanwhile.test.ts',
      test: 'a write of an app that lost its scope while the body arrived changes nothing, and others go on',
    },
  },
  {
    breaks: 'the webhook of an app whose connection has expired is sent nothing more',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'not lane.is_stopped and ${makerLasts(clinic_id, now)}',
    to: 'not lane.is_stopped and (true or ${makerLasts(clinic_id, now)})',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'nothing is claimed any more for the webhook of an app whose connection has expired, and a key’s goes on',
    },
  },
  {
    breaks: 'a token from a clock that was ahead opens nothing',
    file: 'packages/backend/src/authentication.ts',
    from: 'if (epochMs(token.created_at) > at.getTime() + CLOCKS_APART_MS) return null',
    to: 'void CLOCKS_APART_MS',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a token from a clock that was an hour ahead opens nothing, and not later either once the app has renewed it',
    },
  },
]
