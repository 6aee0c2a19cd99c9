// Mutants of what whole programs and machines were started for: standbys, releases, alerts, proxies, faults, `sc` in pipes.
import type { Mutant } from './mutant.ts'

const REPLICA = 'packages/database/src/connections/replica.ts'
const OF_REPLICA = 'packages/database/test/replica.test.ts'
const READINESS = 'scripts/release/readiness.ts'
const OF_RELEASE = 'test/release.test.ts'
const OF_ALERTS = 'test/alerts.test.ts'
const OF_ONE_BROWSER = 'test/deploy/one-browser.test.ts'
const OF_PROXIES = 'test/deploy/front-proxies.test.ts'
const OF_PROCESS = 'test/sc-process.test.ts'
const ALL_FAULTS =
  'it tells all faults at once: files not committed, versions that differ, no section, unreleased lines'
const OTHER_VERSION = 'it refuses a package or a lock that names another version, and a tag that is another commit'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a standby more than five seconds behind answers no scan',
    file: REPLICA,
    from: 'return this.#fault === null && this.lagMs <= LONGEST_LAG_MS',
    to: 'return this.#fault === null',
    caught: {
      by: OF_REPLICA,
      test: 'a standby that stays behind is used for five seconds, and again when it has caught up',
    },
  },
  {
    breaks: 'a server that became a primary is not asked as a standby',
    file: REPLICA,
    from: "if (!standby.is_standby) return 'it is no standby any more'",
    to: '',
    caught: { by: OF_REPLICA, test: 'a server that is no standby any more is never asked' },
  },
  {
    breaks: 'a standby of another cluster is never asked',
    file: REPLICA,
    from: 'standby.system !== primary.system || standby',
    to: 'standby',
    caught: { by: OF_REPLICA, test: 'a server of another cluster is never asked' },
  },
  {
    breaks: 'a standby is asked only under the login that the walls bind',
    file: REPLICA,
    from: "return standby.login === primary.login ? null : 'it was reached with another login than the primary'",
    to: 'return null',
    caught: { by: OF_REPLICA, test: 'a server that was reached with another login is never asked' },
  },
  {
    breaks: 'a scan that the standby gave up is answered by the primary',
    file: REPLICA,
    from: "error instanceof DatabaseError && /^40/.test(error.code ?? '')",
    to: "error instanceof DatabaseError && /^99/.test(error.code ?? '')",
    caught: {
      by: OF_REPLICA,
      test: 'a scan that the standby ends to go on replaying is left to the primary, any other fault is the scan’s own',
    },
  },
  {
    breaks: 'a query tells how old its figures may be',
    file: REPLICA,
    from: 'const [behindMs, endsAt] = [this.lagMs,',
    to: 'const [behindMs, endsAt] = [0,',
    caught: { by: OF_REPLICA, test: 'a scan goes to the standby, and tells since when its rows may be old' },
  },
  {
    breaks: 'a standby with another database is never asked',
    file: REPLICA,
    from: ' || standby.database !== primary.database)',
    to: ')',
    caught: { by: OF_REPLICA, test: 'a server with another database is never asked' },
  },
  {
    breaks: 'a scan whose standby broke off is answered by the primary',
    file: REPLICA,
    from: 'error instanceof DatabaseUnavailable || isConflict(error)',
    to: 'isConflict(error)',
    caught: { by: OF_REPLICA, test: 'a scan whose standby breaks off is answered by the primary' },
  },
  {
    breaks: 'a scan goes to the standby',
    file: 'packages/database/src/database.ts',
    from: '      if (scanned) return scanned as Scanned<R>\n',
    to: '',
    caught: {
      by: OF_REPLICA,
      test: 'scans go to the standby under their clinic; reads, writes and everything else stay on the primary',
    },
  },
  {
    breaks: 'a read sees what was written just before, so it stays on the primary',
    file: 'packages/database/src/database.ts',
    from: 'const { rows } = await this.#leastBusy().readUnder(this.#under(settings), statement.render())',
    to: 'const { rows } = (await this.#replica?.readUnder(this.#under(settings), statement.renderOnce(), { owner: NO_CLINIC, timeoutMs: 7_000 })) ?? (await this.#leastBusy().readUnder(this.#under(settings), statement.render()))',
    caught: {
      by: OF_REPLICA,
      test: 'scans go to the standby under their clinic; reads, writes and everything else stay on the primary',
    },
  },
  {
    breaks: 'a standby is not taken for a primary',
    file: 'packages/database/src/connections/connect.ts',
    from: '        requireRole(isStandby, role)\n',
    to: '',
    caught: { by: OF_REPLICA, test: 'a standby is not taken for a primary' },
  },
  {
    breaks: 'what is released is a commit',
    file: READINESS,
    from: 'if (changed.length > 0) faults.push',
    to: 'if (changed.length > 99) faults.push',
    caught: { by: OF_RELEASE, test: ALL_FAULTS },
  },
  {
    breaks: 'all packages of a release have one version',
    file: READINESS,
    from: 'if (new Set(Object.values(versions)).size > 1) faults.push',
    to: 'if (new Set(Object.values(versions)).size > 9) faults.push',
    caught: { by: OF_RELEASE, test: ALL_FAULTS },
  },
  {
    breaks: 'the packages of a release need each other in its version',
    file: READINESS,
    from: 'Object.values(references).some((one) => one !== version)',
    to: 'false',
    caught: { by: OF_RELEASE, test: OTHER_VERSION },
  },
  {
    breaks: 'a version is released from one commit',
    file: READINESS,
    from: "if (tagged !== '' && tagged !== commit)",
    to: "if (tagged === '-')",
    caught: { by: OF_RELEASE, test: OTHER_VERSION },
  },
  {
    breaks: 'the notes of a release are its section of the changelog',
    file: READINESS,
    from: "return [heading.split(' ', 1).join(), lines.join('\\n').trim()]",
    to: "return [heading.split(' ', 1).join(), section.trim()]",
    caught: { by: OF_RELEASE, test: 'what is ready has its version, its notes, its commit and the time of that' },
  },
  {
    breaks: 'an alert fires when the service has gone',
    file: 'deploy/alerts.yaml',
    from: 'up{job="clinicd"} == 0',
    to: 'up{job="clinicd"} == 2',
    caught: { by: OF_ALERTS, test: 'each alert fires in the state that it is for, and not beside it' },
  },
  {
    breaks: 'Prometheus asks the private listener',
    file: 'deploy/prometheus.yml',
    from: '127.0.0.1:8081',
    to: '127.0.0.1:8080',
    caught: {
      by: OF_ALERTS,
      test: 'Prometheus asks the private listener where the service shows its metrics, and reads these rules',
    },
  },
  {
    breaks: 'behind Caddy the end of one of two services costs no read',
    file: 'deploy/Caddyfile',
    from: 'lb_retries 10',
    to: 'lb_retries 0',
    caught: { by: OF_PROXIES, test: 'the end of one of two services costs no read, behind each of them' },
  },
  {
    breaks: 'Caddy passes an error of the service as it is',
    file: 'deploy/Caddyfile',
    from: '	health_uri /healthz\n',
    to: '	health_uri /healthz\n	@bad status 502\n	handle_response @bad {\n		error 503\n	}\n',
    caught: { by: 'test/deploy/service-away.test.ts' },
  },
  {
    breaks: 'sc whose reader has gone ends silently with 0',
    file: 'packages/cli/src/main.ts',
    from: '    if (error instanceof ClosedPipe) return exitCodes.done\n',
    to: '',
    caught: {
      by: OF_PROCESS,
      test: 'a reader that closes the pipe early gets its rows, the rest is not requested, and sc exits silently with 0',
    },
  },
  {
    breaks: 'an interrupted sc leaves no part of a large answer',
    file: 'packages/cli/src/output/large-output.ts',
    from: 'if (large !== null) await discard(large)',
    to: 'if (large === undefined) await discard(large)',
    caught: { by: OF_PROCESS },
  },
  {
    breaks: 'sc ends when it is interrupted',
    file: 'packages/cli/src/sc.ts',
    from: 'for (const name of END_SIGNALS) process.on(name, interrupt)\n',
    to: '',
    caught: { by: OF_PROCESS },
  },
  {
    breaks: 'sc that a second signal meets as it ends has ended with its own code',
    file: 'packages/cli/src/sc.ts',
    from: "process.once('beforeExit', () => process.exit())\n",
    to: '',
    caught: { by: OF_PROCESS },
  },
  {
    breaks: 'a measure of a guarded dataset needs its scope',
    file: 'packages/contract/src/analytics/dataset.ts',
    from: 'return dataset.measures[name]?.requires_scope ?? dataset.requires_scope',
    to: 'return dataset.measures[name]?.requires_scope',
    caught: { by: 'test/analytics-scopes.test.ts' },
  },
  {
    breaks: 'a grouping by what needs a scope is refused without it',
    file: 'packages/contract/src/analytics/check-query.ts',
    from: '    ...grouped.flatMap((field) => dimensionScopes(dataset, field)),\n',
    to: '',
    caught: { by: 'test/analytics-scopes.test.ts' },
  },
  {
    breaks: 'a wait ends at its time',
    file: 'packages/gateway/src/calls/until-rows.ts',
    from: 'const until = performance.now() + wait * 1000',
    to: 'const until = performance.now() + wait * 900',
    caught: { by: 'test/events.test.ts', test: 'a wait without an event ends on time' },
  },
  {
    breaks: 'sc api repeats no request that takes effect each time',
    file: 'packages/client/src/clinic-data-client.ts',
    from: "isRepeatable: effect !== 'each time'",
    to: 'isRepeatable: true',
    caught: { by: 'test/sc-hands.test.ts', test: 'sc api repeats a temporary failure only where that is safe' },
  },
  {
    breaks: 'the webhook of WhatsApp passes nginx',
    file: 'deploy/nginx.conf',
    from: '  location = /ingest/whatsapp {',
    to: '  location = /ingest/other {',
    caught: { by: OF_PROXIES },
  },
  {
    breaks: 'of the ingest API nginx passes the webhook of WhatsApp alone',
    file: 'deploy/nginx.conf',
    from: '  location = /ingest/whatsapp {',
    to: '  location /ingest/ {',
    caught: { by: OF_PROXIES },
  },
  {
    breaks: 'nginx keeps a browser with one service',
    file: 'deploy/nginx-upstreams.conf',
    from: '  ip_hash;\n',
    to: '',
    caught: {
      by: OF_ONE_BROWSER,
      test: 'nginx leads a browser to one service, and to the other when that one is gone',
    },
  },
  {
    breaks: 'Caddy keeps a browser with one service',
    file: 'deploy/Caddyfile',
    from: 'lb_policy ip_hash',
    to: 'lb_policy round_robin',
    caught: {
      by: OF_ONE_BROWSER,
      test: 'caddy leads a browser to one service, and to the other when that one is gone',
    },
  },
  {
    breaks: 'nginx waits for an export of the activity',
    file: 'deploy/nginx.conf',
    from: '/(patients/|activity/export$)',
    to: '/(patients/|activity/$)',
    caught: { by: 'test/deploy/lasting-answers.test.ts' },
  },
  {
    breaks: 'Caddy waits for an export of the activity',
    file: 'deploy/Caddyfile',
    from: ' /console/api/activity/export',
    to: '',
    caught: { by: 'test/deploy/lasting-answers.test.ts' },
  },
  {
    breaks: 'the backups of the last days are kept',
    file: 'deploy/clinicd-backup.service',
    from: '-mtime +${KEPT_DAYS}',
    to: '-mtime +1',
    caught: { by: 'test/deploy/systemd-unit.test.ts' },
  },
  {
    breaks: 'the base backups of the last days are kept',
    file: 'deploy/clinicd-base-backup.service',
    from: '-mtime +${KEPT_DAYS}',
    to: '-mtime +1',
    caught: { by: 'test/deploy/systemd-unit.test.ts' },
  },
  {
    breaks: 'a connection that closes ends a command as SIGTERM does, and leaves no part of its file',
    file: 'packages/disk/src/end-signals.ts',
    from: "'SIGINT', 'SIGHUP', ",
    to: "'SIGINT', ",
    caught: {
      by: 'packages/server/test/signals.test.ts',
      test: 'every signal to end leaves no part of a file that a command writes, wherever its output goes',
    },
  },
]
