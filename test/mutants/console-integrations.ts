// Mutants of what the console tells of integrations.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'records that a webhook carries are told in what an integration may do',
    file: 'packages/console/src/integrations/access.ts',
    from: 'isSent: sent.has(resource)',
    to: 'isSent: false',
    caught: {
      by: 'packages/console/test/access.test.ts',
      test: 'whole records that webhooks carry are told, also where nothing may be read',
    },
  },
  {
    breaks: 'a webhook without a type is told to carry every one',
    file: 'packages/console/src/integrations/access.ts',
    from: 'event_types.length === 0 ? carried : ',
    to: '',
    caught: {
      by: 'packages/console/test/access.test.ts',
      test: 'whole records that webhooks carry are told, also where nothing may be read',
    },
  },
  {
    breaks: 'a stopped integration is shown as stopped, whatever else is wrong with it',
    file: 'packages/console/src/integrations/integration-state.ts',
    from: "  if (stopped_at !== null) return 'stopped'\n",
    to: '',
    caught: {
      by: 'packages/console/test/access.test.ts',
      test: 'an integration is shown as stopped before all else, and as failing before it is active',
    },
  },
  {
    breaks: 'a change of what somebody else has changed since is refused',
    file: 'packages/surface/src/as-known.ts',
    from: 'if (!isKnown) throw changedMeanwhile()',
    to: 'if (!isKnown && known === undefined) throw changedMeanwhile()',
    caught: {
      by: 'packages/administration/test/as-known.test.ts',
      test: 'a change is refused when somebody else has saved since its form was opened, and undoes nothing',
    },
  },
]
