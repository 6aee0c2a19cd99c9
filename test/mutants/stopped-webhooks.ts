// Mutants of the webhooks of a stopped integration: whose they are, and what comes at the moment of Stop and of its undoing.
import type { Mutant } from './mutant.ts'

const OF_WEBHOOKS = 'packages/administration/test/stopped-webhooks.test.ts'
const MEANWHILE = 'packages/administration/test/moved-meanwhile.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a webhook of a stopped integration is not enabled by hand',
    file: 'packages/webhooks/src/integrations/integration.ts',
    from: 'if (rows.length > 0) throw ofStopped()',
    to: 'if (rows.length > 1) throw ofStopped()',
    caught: {
      by: OF_WEBHOOKS,
      test: 'a webhook that was paused by hand before Stop is enabled by nobody until that is undone',
    },
  },
  {
    breaks: 'an enabling and Stop take turns',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'if (enabled || url !== undefined) await lockIntegrations',
    to: 'if (url !== undefined) await lockIntegrations',
    caught: {
      by: OF_WEBHOOKS,
      test: 'of an enabling and Stop at once, where Stop comes first, nothing is left enabled',
    },
  },
  {
    breaks: 'a webhook that a key sends to another address belongs to the integration of that key',
    file: 'packages/backend/src/operations/webhooks.ts',
    from: 'if (wanted.url !== stored.url) await giveToSender',
    to: 'if (isEnabled) await giveToSender',
    caught: {
      by: OF_WEBHOOKS,
      test: 'a webhook that another partner’s key sends to its own address is stopped with that partner, who receives',
    },
  },
  {
    breaks: 'a new address and Stop take turns',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'if (enabled || url !== undefined) await lockIntegrations',
    to: 'if (enabled) await lockIntegrations',
    caught: {
      by: OF_WEBHOOKS,
      test: 'of a new address by another partner and Stop at once, where Stop comes first, one is as if the other came later',
    },
  },
  {
    breaks: 'Stop pauses nothing that has ended for good',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: 'any(${ids}::text[]) and enabled`)',
    to: 'any(${ids}::text[])`)',
    caught: { by: OF_WEBHOOKS, test: 'a webhook that ends while Stop runs has ended for good' },
  },
  {
    breaks: 'undoing Stop enables nothing that has ended for good',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: 'and is_paused and stopped_at is not null returning id',
    to: 'and stopped_at is not null returning id',
    caught: { by: OF_WEBHOOKS, test: 'a webhook that ends while its undoing runs has ended for good' },
  },
  {
    breaks: 'undoing Stop enables nothing that is paused by hand at that moment',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: 'and is_paused and stopped_at is not null returning id',
    to: 'and is_paused returning id',
    caught: { by: OF_WEBHOOKS, test: 'a webhook that is paused by hand while the undoing of Stop runs stays so' },
  },
  {
    breaks: 'a webhook of a stopped integration can be paused by hand',
    file: 'packages/backend/src/operations/webhooks.ts',
    from: '(stored.enabled || stored.is_stopped) && body',
    to: 'stored.enabled && body',
    caught: {
      by: OF_WEBHOOKS,
      test: 'a webhook that is paused by hand while its integration is stopped stays so when that is undone',
    },
  },
  {
    breaks: 'while an integration is stopped nothing that waits for it expires',
    file: 'packages/webhooks/src/engine/expire.ts',
    from: 'opened_at is not null and not is_stopped order by',
    to: 'opened_at is not null order by',
    caught: {
      by: OF_WEBHOOKS,
      test: 'what waits behind an open circuit expires when Stop is undone, which tells it, and not before',
    },
  },
  {
    breaks: 'a newer consent takes no webhook out of a stopped integration',
    file: 'packages/connect/src/tokens/take-place.ts',
    from: 'and i.stopped_at is not null)',
    to: 'and i.stopped_at is null and false)',
    caught: {
      by: MEANWHILE,
      test: 'a newer consent for another integration takes no webhook out of a stopped one: it ends with the older connection',
    },
  },
  {
    breaks: 'a newer consent and Stop take turns',
    file: 'packages/connect/src/tokens/take-place.ts',
    from: '  await lockIntegrations(tx, place.clinic_id)\n',
    to: '',
    caught: {
      by: MEANWHILE,
      test: 'a webhook that a newer consent takes over at the moment of a Stop goes on as what it is afterwards',
    },
  },
  {
    breaks: 'a merge and the end of an app take their locks in one order',
    file: 'packages/administration/src/integrations/move-members.ts',
    from: '  lockInTurn(tx, clinic_id, ids)\n',
    to: '  lockInTurn(tx, clinic_id, [])\n',
    caught: {
      by: MEANWHILE,
      test: 'a merge with a stopped one and the end of one of its apps wait for each other in one order, and both are done',
    },
  },
  {
    breaks: 'a merge takes the lane of a webhook before its row',
    file: 'packages/administration/src/integrations/move-members.ts',
    from: 'hooks.map(({ id }) => id),',
    to: 'hooks.flatMap(() => []),',
    caught: {
      by: MEANWHILE,
      test: 'a merge with a stopped one and a change of its webhook wait for each other in one order, and both are done',
    },
  },
]
