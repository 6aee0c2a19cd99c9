// Mutants of roles that groups of the identity provider give.
import type { Mutant } from './mutant.ts'

const roles = 'packages/administration/test/group-roles.test.ts'
const set = 'packages/administration/test/set-group-role.test.ts'
const asked = 'packages/administration/test/still-in-group.test.ts'
const GROUPS = 'packages/administration/src/openid/group-roles.ts'
const APPLY = 'packages/administration/src/openid/apply-groups.ts'
const END = 'packages/administration/src/openid/end-by-group.ts'
const STILL = 'packages/administration/src/openid/still-in-group.ts'
const TOKEN = 'packages/administration/src/openid/groups-token.ts'
const PROVIDER = 'packages/administration/src/sign-in/openid-provider.ts'
const SESSIONS = 'packages/administration/src/sessions/sessions.ts'

const lost =
  'a group that is lost while signed in ends every right within a minute: of the session, and of connected apps'
const byHand = 'a role by hand stays while no group gives one, and an owner stays one whatever the groups say'
const narrowest =
  'whoever has lost the group of the narrowest role is let in again by it, and not by what it gives anew meanwhile'
const changed = 'what a group gives is changed and taken off at once, for whoever has a role by it'
const since = 'a group shows since when it gives its role, and a person since when no group does'
const before =
  'a group is asked for before it is added: care, approval, a provider that tells groups, and no more than some'
const silent =
  'while the provider does not answer a role by group holds for a minute after it last did, and again when it does'
const refresh =
  'the groups are asked for by a refresh token that serves once, once in half a minute of use and by one of the requests that come at once'
const pause =
  'after a pause requests that come at once wait for one answer, and none asks what another one has just asked'
const access =
  'the groups are asked for by an access token, where there is no refresh token, once in half a minute of use and by one of the requests that come at once'
const process = 'while another process asks, the role holds for its minute, and whoever comes after that waits'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an owner stays one whatever the groups say',
    file: APPLY,
    from: "if (person === undefined || person.role === 'owner')",
    to: 'if (person === undefined)',
    caught: { by: roles, test: byHand },
  },
  {
    breaks: 'whoever is in no group keeps the role by hand',
    file: APPLY,
    from: 'return person.role_group === null\n',
    to: "return person.role_group === ''\n",
    caught: { by: roles, test: byHand },
  },
  {
    breaks: 'a role that has ended begins anew, also the narrowest',
    file: APPLY,
    from: ' && !person.has_ended)',
    to: ')',
    caught: { by: roles, test: narrowest },
  },
  {
    breaks: 'the first role of the list counts',
    file: GROUPS,
    from: 'return rolesByGroup.flatMap(',
    to: 'return rolesByGroup.toReversed().flatMap(',
    caught: {
      by: roles,
      test: 'of several groups the one that gives the first role of the list counts, and the log says who got it',
    },
  },
  {
    breaks: 'a wider role by group asks for care',
    file: GROUPS,
    from: 'requireCare(role !== null && (former === null || mayMore(role, former)))',
    to: 'requireCare(role !== null && former === null)',
    caught: { by: set, test: before },
  },
  {
    breaks: 'taking a group off asks for no care',
    file: GROUPS,
    from: 'requireCare(role !== null && (former',
    to: 'requireCare(role === null || (former',
    caught: { by: set, test: before },
  },
  {
    breaks: 'a group that makes people who approve waits for an approval',
    file: GROUPS,
    from: 'const isNeeded = role !== null && opensApproving(role, former)',
    to: 'const isNeeded = role !== null && role === former',
    caught: {
      by: set,
      test: 'where the clinic wants approvals, a group that gives people who approve waits for one',
    },
  },
  {
    breaks: 'no role is given by groups that nobody tells',
    file: GROUPS,
    from: 'if (!isOffered) throw',
    to: 'if (tx === undefined) throw',
    caught: { by: set, test: before },
  },
  {
    breaks: 'a clinic that demands passkeys gives no roles by group',
    file: GROUPS,
    from: "and sign_in_demand = 'passkey'`",
    to: "and sign_in_demand = 'none'`",
    caught: { by: set, test: 'a clinic demands a passkey, or gives roles by group, and not both' },
  },
  {
    breaks: 'a clinic that gives roles by group demands no passkeys',
    file: 'packages/administration/src/people/sign-in-rule.ts',
    from: "if (demand === 'passkey') await refuseBesideGroups(",
    to: "if (demand === 'provider') await refuseBesideGroups(",
    caught: { by: set, test: 'a clinic demands a passkey, or gives roles by group, and not both' },
  },
  {
    breaks: 'what a group gives is changed for whoever has it',
    file: GROUPS,
    from: 'for (const { id } of rows) {',
    to: 'for (const { id } of rows.slice(1)) {',
    caught: { by: roles, test: changed },
  },
  {
    breaks: 'a group that gives another role lets nobody in who has lost it',
    file: GROUPS,
    from: 'and role_group = ${group} and group_ended_at is null and',
    to: 'and role_group = ${group} and',
    caught: { by: roles, test: narrowest },
  },
  {
    breaks: 'at most so many groups give roles',
    file: GROUPS,
    from: '.size > GROUP_ROLES.most)',
    to: '.size > GROUP_ROLES.most + 1)',
    caught: { by: set, test: before },
  },
  {
    breaks: 'a group gives another role since it came to give that one',
    file: GROUPS,
    from: ', created_at = excluded.created_at\n',
    to: '\n',
    caught: { by: roles, test: since },
  },
  {
    breaks: 'a role that is set as it was begins no second time',
    file: GROUPS,
    from: 'where group_role.role <> excluded.role',
    to: '',
    caught: { by: roles, test: since },
  },
  {
    breaks: 'sessions end with the group',
    file: END,
    from: '  await endSessionsOf(tx, { clinic_id, id })\n',
    to: '',
    caught: { by: roles, test: lost },
  },
  {
    breaks: 'apps end with the group',
    file: END,
    from: '  await endConnectionsOf(tx, end)\n',
    to: '',
    caught: {
      by: roles,
      test: 'apps end in the transaction in which the group’s rights end, also of a process that is killed after it',
    },
  },
  {
    breaks: 'approvals end with the group',
    file: END,
    from: 'set role = ${NARROWEST}, group_ended_at',
    to: 'set group_ended_at',
    caught: { by: roles, test: 'what whoever loses the group has approved lets nothing through' },
  },
  {
    breaks: 'a session that cannot ask opens nothing',
    file: STILL,
    from: 'if (group.toldAt === null) throw',
    to: "if (group.toldAt === null && clinic.clinic_id === '') throw",
    caught: { by: roles, test: 'no other way of signing in opens anything for whoever has a role by group' },
  },
  {
    breaks: 'a role by group demands the provider',
    file: SESSIONS,
    from: "when c.sign_in_demand = 'any' and a.role_group is not null then",
    to: "when c.sign_in_demand = 'any' and a.role_group = '' then",
    caught: { by: roles, test: 'no other way of signing in opens anything for whoever has a role by group' },
  },
  {
    breaks: 'the provider is asked again every half minute',
    file: STILL,
    from: 'if (age < ASKED_AGAIN_MS) return false',
    to: 'if (age < 2 * ASKED_AGAIN_MS) return false',
    caught: { by: asked, test: refresh },
  },
  {
    breaks: 'requests that come at once ask once',
    file: STILL,
    from: 'underWay.get(name) ?? ask(',
    to: 'ask(',
    caught: { by: asked, test: pause },
  },
  {
    breaks: 'nobody asks what another request has just asked',
    file: STILL,
    from: 'and groups_at = ${group?.toldAt ?? null}`',
    to: 'and groups_at >= ${group?.toldAt ?? null}`',
    caught: { by: asked, test: pause },
  },
  {
    breaks: 'whoever cannot be asked about is trusted for a minute and not longer',
    file: STILL,
    from: 'error instanceof Unanswered && age < TRUSTED_MS)',
    to: 'error instanceof Unanswered && age < 2 * TRUSTED_MS)',
    caught: { by: asked, test: silent },
  },
  {
    breaks: 'a provider that does not answer takes nothing away for a minute',
    file: STILL,
    from: 'if (error instanceof Unanswered && age < TRUSTED_MS) return false\n',
    to: '',
    caught: { by: asked, test: silent },
  },
  {
    breaks: 'one process asks at a time',
    file: STILL,
    from: 'and (groups_asked_at is null or groups_asked_at < ${before})',
    to: 'and ${before}::timestamptz is not null',
    caught: { by: asked, test: process },
  },
  {
    breaks: 'a process that was killed while it asked does not hold up the others',
    file: STILL,
    from: 'or groups_asked_at < ${before})',
    to: "or groups_asked_at < ${before}::timestamptz - interval '1 hour')",
    caught: { by: asked, test: process },
  },
  {
    breaks: 'a token that the provider takes no more ends the session',
    file: STILL,
    from: '    await tx.query(sql`delete from administrator_session where ${place}`)\n',
    to: '',
    caught: {
      by: asked,
      test: 'a token that the provider takes no more ends its session alone: nobody knows of the groups',
    },
  },
  {
    breaks: 'where groups are switched off nobody has a role by one',
    file: STILL,
    from: 'if (openId === null || !openId.tellsGroups || token',
    to: 'if (openId === null || token',
    caught: { by: asked, test: 'where the operator has switched groups off since, a role by group is nobody’s' },
  },
  {
    breaks: 'a token is of one person',
    file: TOKEN,
    from: "return sealText(keys, ['groups', clinic_id, id],",
    to: "return sealText(keys, ['groups', clinic_id, id.slice(0, 0)],",
    caught: { by: asked, test: refresh },
  },
  {
    breaks: 'the new refresh token is kept',
    file: PROVIDER,
    from: 'tokens.refresh_token === undefined ? token : tokenOf(tokens) }',
    to: 'tokens.refresh_token === undefined ? tokenOf(tokens) : token }',
    caught: { by: asked, test: refresh },
  },
  {
    breaks: 'an access token asks where there is no refresh token',
    file: PROVIDER,
    from: "if (token.kind === 'access') return",
    to: "if (token.kind === 'access' && claim === '') return",
    caught: { by: asked, test: access },
  },
  {
    breaks: 'an answer about another person is none',
    file: PROVIDER,
    from: 'if (claims !== undefined && claims.sub !== subject) return null',
    to: 'if (claims === undefined) return null',
    caught: {
      by: asked,
      test: 'a person of the provider is asked about alone: an answer about another one ends the session',
    },
  },
  {
    breaks: 'an e-mail is verified by the answer that names it',
    file: PROVIDER,
    from: 'const { email, email_verified } = claims.email === undefined ? more : claims',
    to: 'const { email, email_verified } = { ...more, ...claims }',
    caught: {
      by: roles,
      test: 'an e-mail counts as verified by the answer that names it, though groups are in another one',
    },
  },
  {
    breaks: 'only texts name groups',
    file: PROVIDER,
    from: "return [claim].flat().filter((one) => typeof one === 'string')",
    to: 'return [claim].flat().map(String)',
    caught: { by: roles, test: 'names of groups in any other form give nothing' },
  },
  {
    breaks: 'another clinic’s sign-in opens no clinic in which a group gives the role',
    file: 'packages/administration/src/pairings/open-paired.ts',
    from: 'if (is_by_group) return null',
    to: "if (is_by_group && way === 'link') return null",
    caught: {
      by: 'packages/administration/test/pairing-offers.test.ts',
      test: 'a clinic in which a group gives the role is opened by its own sign-in alone, and closed when a group comes to give it',
    },
  },
]
