// Mutants of integrations: to which one something belongs, Stop, and its undoing.
import type { Mutant } from './mutant.ts'

const STOPPING = 'packages/administration/test/stopping.test.ts'
const INTEGRATIONS = 'packages/administration/test/integrations.test.ts'
const RESTORED = 'Stop refuses each key and token and pauses each webhook, and undoing it restores exactly that'
const WAITING =
  'a thousand deliveries wait while their integration is stopped, go on when that is undone, and expire in their time'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a stopped key opens nothing',
    file: 'packages/backend/src/authentication.ts',
    from: 'coalesce(revoked_at, stopped_at) as refused_at',
    to: 'revoked_at as refused_at',
    caught: { by: STOPPING, test: RESTORED },
  },
  {
    breaks: 'a token of a stopped connection opens nothing',
    file: 'packages/backend/src/authentication.ts',
    from: 'coalesce(k.revoked_at, k.stopped_at) as refused_at',
    to: 'k.revoked_at as refused_at',
    caught: { by: STOPPING, test: RESTORED },
  },
  {
    breaks: 'a write of a stopped key stores nothing',
    file: 'packages/surface/src/still-valid.ts',
    from: 'and revoked_at is null and stopped_at is null and (',
    to: 'and revoked_at is null and (',
    caught: {
      by: 'test/stopped-meanwhile.test.ts',
      test: 'a write of a stopped partner whose body arrives after Stop was answered is refused, and changes nothing',
    },
  },
  {
    breaks: 'a stopped connection gets no tokens',
    file: 'packages/connect/src/tokens/connection-state.ts',
    from: 'k.stopped_at is not null as is_stopped',
    to: 'false as is_stopped',
    caught: {
      by: STOPPING,
      test: 'a code and a refresh token of a stopped connection are refused, are not used up, and are good again after it',
    },
  },
  {
    breaks: 'Stop is answered when no gateway lets a key in and no dispatcher begins what it has claimed',
    file: 'packages/administration/src/integrations/stop-integration.ts',
    from: '  await wait(REFUSED_AFTER_MS)\n',
    to: '',
    caught: { by: STOPPING, test: RESTORED },
  },
  {
    breaks: 'undoing Stop enables what it has paused, and nothing that was paused by hand',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: ' and stopped_at is not null and is_paused\n',
    to: ' and is_paused\n',
    caught: { by: STOPPING, test: RESTORED },
  },
  {
    breaks: 'nothing is claimed of a stopped webhook, and no scan looks for it',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: "set is_stopped = true, leases = '{}'",
    to: "set leases = '{}'",
    caught: {
      by: STOPPING,
      test: 'what was claimed before Stop loses its lease, and goes on from where it was when that is undone',
    },
  },
  {
    breaks: 'what was claimed before Stop loses its lease',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: 'set lease_id = null, lease_until = null\n      where d.clinic_id = ${clinic_id} and d.subscription_id = any(${ids}::text[]) and d.status',
    to: 'set lease_id = lease_id\n      where d.clinic_id = ${clinic_id} and d.subscription_id = any(${ids}::text[]) and d.status',
    caught: {
      by: STOPPING,
      test: 'what was claimed before Stop loses its lease, and goes on from where it was when that is undone',
    },
  },
  {
    breaks: 'what waited too long fails when Stop is undone',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: '${new Date(now.getTime() - HORIZON_MS)}',
    to: '${new Date(0)}',
    caught: { by: STOPPING, test: WAITING },
  },
  {
    breaks: 'nothing is added to a stopped integration',
    file: 'packages/webhooks/src/integrations/integration.ts',
    from: '  if (row.is_stopped) throw stoppedChoice()\n',
    to: '',
    caught: {
      by: STOPPING,
      test: 'while an integration is stopped nothing is added to it, moved, widened or enabled by hand',
    },
  },
  {
    breaks: 'nothing moves out of a stopped integration or into it',
    file: 'packages/administration/src/integrations/join-integration.ts',
    from: '  if (rows.some(({ is_stopped }) => is_stopped)) throw stopped()\n',
    to: '',
    caught: {
      by: STOPPING,
      test: 'while an integration is stopped nothing is added to it, moved, widened or enabled by hand',
    },
  },
  {
    breaks: 'an integration behind the end of the list is found',
    file: 'packages/administration/src/integrations/list-integrations.ts',
    from: 'members.integrations.filter((one) => one.id === id)',
    to: 'members.integrations.slice(0, INTEGRATIONS_LISTED).filter((one) => one.id === id)',
    caught: {
      by: 'packages/administration/test/integrations.test.ts',
      test: 'an integration behind the end of the list is made, changed and shown as any other',
    },
  },
  {
    breaks: 'a webhook belongs to the integration of the key that made it',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: '  if (maker !== null) return maker.integration_id\n',
    to: '',
    caught: {
      by: INTEGRATIONS,
      test: 'a key, a connection and a webhook each belong to one integration, of their own or the one that is named',
    },
  },
  {
    breaks: 'a webhook of an older version goes to the integration of its maker',
    file: 'packages/webhooks/src/integrations/adopt.ts',
    from: 'set integration_id = ${of_maker ?? ownIntegration(id)}',
    to: 'set integration_id = ${ownIntegration(id)}',
    caught: {
      by: INTEGRATIONS,
      test: 'rows of an older version get an integration each, their webhooks with them, however many look at once',
    },
  },
  {
    breaks: 'an integration about which something is written down is not removed',
    file: 'packages/webhooks/src/integrations/integration.ts',
    from: ' and contact is null and notes is null\n',
    to: '\n',
    caught: {
      by: INTEGRATIONS,
      test: 'what is joined moves with the webhooks that it made, and an integration that is left with nothing goes',
    },
  },
  {
    breaks: 'a stopped integration that holds nothing stays, so that the partner is refused when it comes again',
    file: 'packages/webhooks/src/integrations/integration.ts',
    from: '\n      and stopped_at is null`',
    to: '`',
    caught: {
      by: 'packages/administration/test/one-name.test.ts',
      test: 'a stopped integration stays when its only app never took tokens, and refuses the partner when it comes again',
    },
  },
  {
    breaks: 'a refused request has read no patient',
    file: 'packages/audit/src/patients-read.ts',
    from: 'const isRead = sql`status < 400 and',
    to: 'const isRead = sql`status < 500 and',
    caught: {
      by: INTEGRATIONS,
      test: 'the page says what it may do, what it did today, and from where, of its own keys alone',
    },
  },
  {
    breaks: 'an app of a stopped integration is not connected anew',
    file: 'packages/connect/src/consent/integration-of-app.ts',
    from: 'if (found?.is_stopped) throw stoppedChoice()',
    to: 'void stoppedChoice',
    caught: {
      by: 'packages/administration/test/stopping.test.ts',
      test: 'an app that is connected again goes to its integration, and to none while that is stopped',
    },
  },
  {
    breaks: 'the page is told before that an app of a stopped integration can only be refused',
    file: 'packages/connect/src/consent/standing.ts',
    from: 'is_stopped: found?.is_stopped === true',
    to: 'is_stopped: false',
    caught: {
      by: 'packages/administration/test/stopping.test.ts',
      test: 'an app that is connected again goes to its integration, and to none while that is stopped',
    },
  },
  {
    breaks: 'whoever lists no integrations is told none by an app',
    file: 'packages/administration/src/routes/connect-handlers.ts',
    from: 'rolesOf.listIntegrations.includes(role) ? access.integration : null',
    to: 'access.integration',
    caught: {
      by: 'packages/administration/test/stopping.test.ts',
      test: 'an app that is connected again goes to its integration, and to none while that is stopped',
    },
  },
  {
    breaks: 'a key from the command line belongs to the named integration',
    file: 'packages/operator/src/commands/keys.ts',
    from: 'integration_id: options.integration ?? null',
    to: 'integration_id: null',
    caught: {
      by: 'packages/operator/test/integrations.test.ts',
      test: 'an operator mints a key for an integration that there is, and for none that is unknown or stopped',
    },
  },
  {
    breaks: 'a new integration gets no name that another one has, however it is written',
    file: 'packages/webhooks/src/integrations/same-name.ts',
    from: 'foldLabel(one.name) === wanted',
    to: 'one.name === name',
    caught: {
      by: 'packages/administration/test/one-name.test.ts',
      test: 'no way makes a second integration of a name, however it is written',
    },
  },
  {
    breaks: 'Stop stops all integrations of the name',
    file: 'packages/administration/src/integrations/stop-integration.ts',
    from: 'const integrations = [id, ...others]',
    to: 'const integrations = [id, ...others].slice(0, 1)',
    caught: {
      by: 'packages/administration/test/one-name.test.ts',
      test: 'after Stop nothing reads that was granted to the integration or carries its name, by any way',
    },
  },
  {
    breaks: 'what is merged with a stopped integration is stopped',
    file: 'packages/administration/src/integrations/merge-integrations.ts',
    from: 'const isStopped = kept.is_stopped || other.is_stopped',
    to: 'const isStopped = kept.is_stopped',
    caught: {
      by: 'packages/administration/test/one-name.test.ts',
      test: 'merged with one that is stopped, all of both is stopped, and nothing that was stopped goes on',
    },
  },
  {
    breaks: 'a member puts no app into an integration of others',
    file: 'packages/administration/src/routes/connect-handlers.ts',
    from: 'if (isChosen) requireRole(session.administrator.role, rolesOf.joinIntegration)',
    to: 'void [session, requireRole]',
    caught: {
      by: 'packages/administration/test/member-connections.test.ts',
      test: 'a member gives an app no integration but its own',
    },
  },
  {
    breaks: 'a restore stops the integrations where that is wanted',
    file: 'packages/operator/src/backup/stop-all.ts',
    from: '      if (stopped_at !== null) continue\n',
    to: '      if (stopped_at === null) continue\n',
    caught: {
      by: 'packages/operator/test/backup.test.ts',
      test: 'a backup under load holds all that was answered before it, the service goes on writing, and a former secret key restores it',
    },
  },
]
