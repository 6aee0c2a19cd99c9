// Mutants of alerts, as the console shows them.
import type { Mutant } from './mutant.ts'

const by = 'packages/administration/test/alerts.test.ts'
const page = 'test/console/alerts.test.ts'
const ALERTS = 'packages/administration/src/pages/alerts.ts'
const ROLES = 'packages/console-contract/src/roles.ts'
const home = 'the home page shows the latest that nobody has looked at, and how many there are'
const roles = 'owners, administrators and auditors see alerts, and an auditor marks none'
const told = 'the home page tells it first and by itself, until somebody says to have looked at it'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'each alert stands on one page',
    file: 'packages/audit/src/watch/alerts.ts',
    from: '(noticed_at, id) < (${',
    to: '(noticed_at, id) <= (${',
    caught: { by, test: 'the latest stand first, and pages lead to the first of all, each once, also of one moment' },
  },
  {
    breaks: 'older alerts can be read in the console',
    file: 'packages/console/src/alerts/use-alerts.ts',
    from: 'meta.next_cursor',
    to: '(meta.next_cursor === null ? meta.next_cursor : null)',
    caught: { by: page, test: 'older ones come with a button until there are none' },
  },
  {
    breaks: 'whoever may not see alerts sees none on the home page',
    file: ALERTS,
    from: 'if (!maySeeAlerts(administrator.role))',
    to: 'if (administrator.role === null)',
    caught: { by, test: home },
  },
  {
    breaks: 'what somebody has looked at leaves the home page',
    file: ALERTS,
    from: 'limit: ALERTS.most_on_home, isUnseen: true',
    to: 'limit: ALERTS.most_on_home, isUnseen: false',
    caught: { by, test: home },
  },
  {
    breaks: 'an alert that is not the clinic’s is not marked, and no row says that it was',
    file: ALERTS,
    from: "if (rows.length === 0) throw notFound('alert', id)",
    to: "if (rows.length > 1) throw notFound('alert', id)",
    caught: { by, test: 'a clinic sees none of another one’s alerts, and cannot mark them' },
  },
  {
    breaks: 'an auditor marks no alert as looked at',
    file: ROLES,
    from: '  markAlertSeen: managers,',
    to: '  markAlertSeen: readers,',
    caught: { by, test: roles },
  },
  {
    breaks: 'developers and members see no alerts',
    file: ROLES,
    from: '  listAlerts: readers,',
    to: '  listAlerts: everybody,',
    caught: { by, test: roles },
  },
  {
    breaks: 'an alert leads to its integration',
    file: ALERTS,
    from: 'integration: integrations.get(key_id) ?? null',
    to: 'integration: integrations.get(id) ?? null',
    caught: { by, test: 'an alert names its key, its integration and the numbers of its reason' },
  },
  {
    breaks: 'what happened today is told as of today',
    file: 'packages/console/src/alerts/reason.ts',
    from: 'day === today(time_zone)',
    to: 'day === time_zone',
    caught: { by: page, test: told },
  },
  {
    breaks: 'whoever has looked at the last alert goes on at the top of the home page',
    file: 'packages/console/src/home/unusual.tsx',
    from: 'onSeen={focusHeading}',
    to: 'onSeen={() => undefined}',
    caught: { by: page, test: told },
  },
  {
    breaks: 'a key that has ended leads to what it did before',
    file: 'packages/console/src/alerts/alert-card.tsx',
    from: "rule === 'ended_key' || rule === 'stopped_partner'",
    to: "rule === 'ended_key'",
    caught: {
      by: page,
      test: 'each rule has its reason in words, with its numbers and days, in both languages',
    },
  },
  {
    breaks: 'an auditor is offered no button that would be refused',
    file: 'packages/console/src/alerts/see-button.tsx',
    from: "if (!useMay()('markAlertSeen')) return null",
    to: "if (!useMay()('listAlerts')) return null",
    caught: { by: page, test: 'an auditor sees the list without the button and without links that would be refused' },
  },
  {
    breaks: 'an auditor cannot choose which rules stop',
    file: 'packages/console/src/alerts/stop-rules.tsx',
    from: 'disabled={!mayChoose}',
    to: 'disabled={mayChoose}',
    caught: { by: page, test: 'an auditor sees the list without the button and without links that would be refused' },
  },
  {
    breaks: 'an integration that a rule has stopped says so',
    file: 'packages/administration/src/integrations/list-integrations.ts',
    from: 'is_stopped_by_rule: stopped_by === WATCH',
    to: 'is_stopped_by_rule: stopped_by === null',
    caught: {
      by: 'packages/administration/test/stop-called.test.ts',
      test: 'a chosen rule stops all of the integration at once, as the watch, and a person undoes it like any other Stop',
    },
  },
]
