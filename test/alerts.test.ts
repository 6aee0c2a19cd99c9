// The alerts and the dashboard: every metric that they name exists, each rule fires when it should and not otherwise. In CI a real
// Prometheus loads them (`alerts.long.test.ts`).
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '@clinic-data/installation/config'
import { prometheusMetrics } from '../packages/server/scripts/metrics-document.ts'
import { alerts, charts, panels, root, rulesPath, textOf } from './alert-files.ts'
import { groupsOf, needsPrometheus, selectorsOf } from './prometheus.ts'

const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Prometheus adds these itself, or they tell the process. */
const OTHERS: Record<string, readonly string[]> = {
  up: [],
  target_info: ['service_name', 'service_version', 'clinicd_role'],
  // The blackbox exporter has it.
  probe_ssl_earliest_cert_expiry: [],
  // The node exporter has these.
  node_filesystem_avail_bytes: ['mountpoint', 'fstype'],
  node_filesystem_size_bytes: ['mountpoint', 'fstype'],
  node_textfile_mtime_seconds: ['file'],
}
const OF_SCRAPES = ['job', 'instance']

function labelsOf(metric: string): readonly string[] | undefined {
  const [, family = '', part] = /^(.*?)(?:_(bucket|count|sum))?$/.exec(metric) ?? []
  const histogram = prometheusMetrics.get(family)
  if (part !== undefined && histogram?.kind === 'histogram') return [...histogram.labels, 'le', ...OF_SCRAPES]
  const found = prometheusMetrics.get(metric)
  if (found?.kind === 'histogram') return undefined
  const labels = found?.labels ?? OTHERS[metric]
  return labels && [...labels, ...OF_SCRAPES]
}

test('every metric and label of the alerts and of the dashboard exists', () => {
  const expressions = [...alerts.map(({ name, expr }) => ({ title: name, expr })), ...charts]
  assert.ok(alerts.length > 10 && charts.length > 40)
  for (const { title, expr } of expressions) {
    const selectors = selectorsOf(expr)
    assert.ok(selectors.length > 0, title)
    const known = selectors.flatMap(({ metric, labels }) => {
      const all = labelsOf(metric)
      assert.ok(all, `${title}: there is no metric ${metric}`)
      for (const label of labels) assert.ok(all.includes(label), `${title}: ${metric} has no label ${label}`)
      return all
    })
    for (const label of groupsOf(expr)) assert.ok(known.includes(label), `${title}: nothing has the label ${label}`)
  }
})

test('every metric is of use: an alert or the dashboard shows it', () => {
  const used = new Set([...alerts, ...charts].flatMap(({ expr }) => selectorsOf(expr).map(({ metric }) => metric)))
  const unused = [...prometheusMetrics].filter(
    ([name, { kind }]) => !used.has(name) && !(kind === 'histogram' && used.has(`${name}_bucket`)),
  )
  assert.deepEqual(
    unused.map(([name]) => name),
    ['process_uptime_seconds'],
  )
})

test('every alert has a summary and a section that says what to do', () => {
  const sections = [...textOf('docs/alerts.md').matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
  assert.deepEqual(
    sections,
    alerts.map(({ name }) => name),
  )
  for (const { name, runbook_url, summary, severity } of alerts) {
    assert.equal(runbook_url, `https://runbooks.clinic.example/alerts.md#${name.toLowerCase()}`)
    assert.match(summary, /^[A-Z].*\.$/)
    assert.match(severity, /^(page|ticket)$/)
  }
})

test('the panels of the dashboard have ids of their own and a legend for each line', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const { title, type, targets = [] } of panels) {
    if (type === 'row') continue
    assert.ok(targets.length > 0 && targets.every(({ legendFormat }) => legendFormat !== ''), title)
  }
})

interface Case {
  /** Series as `promtool` writes them: first value, step, count. */
  series: Record<string, string>
  /** The labels of the alert that fires. */
  labels: Record<string, string>
}

const D = 'http_server_request_duration_seconds'
const instance = { instance: 'a:1', job: 'clinicd' }
const named = (metric: string, labels: Record<string, string> = {}) =>
  `${metric}{${Object.entries({ ...instance, ...labels })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',')}}`

const disk = (metric: string, fstype = 'ext4') =>
  `${metric}{instance="data:9100",job="machines",mountpoint="/",fstype="${fstype}"}`

const textFile = (name: string) =>
  `node_textfile_mtime_seconds{instance="data:9100",job="machines",file="/var/lib/${name}.prom"}`

/** Each alert has a state that fires it after an hour at the latest, and one beside it that does not. */
const CASES: Record<string, { fires: Case; rests: Case['series'] }> = {
  ClinicdDown: {
    fires: { series: { [named('up')]: '0x60' }, labels: instance },
    rests: { [named('up')]: '1x60' },
  },
  DispatcherMissing: {
    fires: { series: { [named('target_info', { clinicd_role: 'gateway' })]: '1x60' }, labels: { job: 'clinicd' } },
    rests: { [named('target_info', { clinicd_role: 'dispatcher' })]: '1x60' },
  },
  RequestsFail: {
    fires: {
      series: {
        [named(`${D}_count`, { http_response_status_code: '200' })]: '0+95x60',
        [named(`${D}_count`, { http_response_status_code: '503' })]: '0+5x60',
      },
      labels: {},
    },
    rests: {
      [named(`${D}_count`, { http_response_status_code: '429' })]: '0+99x60',
      [named(`${D}_count`, { http_response_status_code: '503' })]: '0+1x60',
    },
  },
  RequestsSlow: {
    fires: {
      series: {
        [named(`${D}_bucket`, { operation: 'patients.list', le: '2.5' })]: '0+98x60',
        [named(`${D}_bucket`, { operation: 'patients.list', le: '+Inf' })]: '0+100x60',
      },
      labels: {},
    },
    rests: {
      [named(`${D}_bucket`, { operation: 'events.list', le: '2.5' })]: '0+1x60',
      [named(`${D}_bucket`, { operation: 'events.list', le: '+Inf' })]: '0+100x60',
    },
  },
  ConnectionsNearLimit: {
    fires: {
      series: {
        [named('http_server_open_connections', { listener: 'public' })]: '95x60',
        [named('http_server_open_connections_max', { listener: 'public' })]: '100x60',
      },
      labels: { ...instance, listener: 'public' },
    },
    rests: {
      [named('http_server_open_connections', { listener: 'public' })]: '80x60',
      [named('http_server_open_connections_max', { listener: 'public' })]: '100x60',
    },
  },
  DatabasePoolFull: {
    fires: {
      series: {
        [named('db_client_connection_pending_requests', { db_client_connection_pool_name: 'writes' })]: '3x60',
      },
      labels: { ...instance, db_client_connection_pool_name: 'writes' },
    },
    rests: {
      [named('db_client_connection_pending_requests', { db_client_connection_pool_name: 'writes' })]: '3 0 9 0 5 0x55',
      [named('db_client_connection_pending_requests', { db_client_connection_pool_name: 'reads' })]: '3x60',
    },
  },
  DeliveriesLate: simple('lane_oldest_due_seconds', '301x60', '299x60'),
  ChatMessagesLate: simple('chat_queue_oldest_due_seconds', '301x60', '299x60'),
  AuditNotSealed: simple('audit_unsealed_age_seconds', '901x60', '899x60'),
  AuditExportLate: simple('audit_export_lag_seconds', '901x60', '899x60'),
  BackgroundJobFails: {
    fires: {
      series: {
        [named('background_job_age_seconds', { task: 'seal_audit' })]: '0+60x60',
        [named('background_job_interval_seconds', { task: 'seal_audit' })]: '60x60',
      },
      labels: { ...instance, task: 'seal_audit' },
    },
    rests: {
      [named('background_job_age_seconds', { task: 'maintain_events' })]: '0+60x60',
      [named('background_job_interval_seconds', { task: 'maintain_events' })]: '3600x60',
    },
  },
  BackupLate: simple('backup_age_seconds', '93601x60', '93599x60'),
  DiskNearlyFull: simple('data_folder_free_ratio', '0.09x60', '0.11x60'),
  RateLimitAlone: simple('gateway_rate_limit_alone', '1x60', '0x60'),
  StandbyLost: simple('db_standbys', '1x10 0x50', '1x60'),
  ArchiveFails: simple('db_archive_failing', '1x60', '0x60'),
  BaseBackupLate: {
    fires: {
      series: { [textFile('base-backup')]: '-93601x60' },
      labels: { instance: 'data:9100', job: 'machines', file: '/var/lib/base-backup.prom' },
    },
    rests: { [textFile('base-backup')]: '-80000x60', [textFile('apt')]: '-93601x60' },
  },
  MachineDiskNearlyFull: {
    fires: {
      series: { [disk('node_filesystem_avail_bytes')]: '9x60', [disk('node_filesystem_size_bytes')]: '100x60' },
      labels: { instance: 'data:9100', job: 'machines', mountpoint: '/', fstype: 'ext4' },
    },
    rests: {
      [disk('node_filesystem_avail_bytes')]: '11x60',
      [disk('node_filesystem_size_bytes')]: '100x60',
      // A package that is mounted is full by nature.
      [disk('node_filesystem_avail_bytes', 'squashfs')]: '0x60',
      [disk('node_filesystem_size_bytes', 'squashfs')]: '100x60',
    },
  },
  CertificateExpires: {
    fires: {
      series: { 'probe_ssl_earliest_cert_expiry{instance="https://api",job="public"}': '1200000x80' },
      labels: { instance: 'https://api', job: 'public' },
    },
    rests: { 'probe_ssl_earliest_cert_expiry{instance="https://api",job="public"}': '2592000x80' },
  },
  ReplicaBehind: simple('db_client_replica_lag_seconds', '120x60', '2x60'),
  EventLoopLate: simple('nodejs_eventloop_delay_p99_seconds', '0.4x60', '0.2x60'),
  WorkersMissing: {
    fires: { series: { [named('workers_listening')]: '1x60', [named('workers_wanted')]: '2x60' }, labels: instance },
    rests: { [named('workers_listening')]: '2x60', [named('workers_wanted')]: '2x60' },
  },
  ConsoleSignInsRefused: {
    fires: {
      series: { [named('console_sign_ins_total', { way: 'password', outcome: 'refused' })]: '0+30x60' },
      labels: {},
    },
    rests: {
      [named('console_sign_ins_total', { way: 'password', outcome: 'refused' })]: '0+2x60',
      [named('console_sign_ins_total', { way: 'link', outcome: 'begun' })]: '0+90x60',
      // Whoever proves again who sits there, before what gives access.
      [named('console_sign_ins_total', { way: 'passkey', outcome: 'confirmed' })]: '0+90x60',
    },
  },
  ClockJumped: {
    fires: {
      series: { [named('clock_jumps_total', { direction: 'ahead' })]: '0x54 1x5' },
      labels: { instance: 'a:1', direction: 'ahead' },
    },
    rests: { [named('clock_jumps_total', { direction: 'ahead' })]: '7x60' },
  },
}

function simple(metric: string, firing: string, resting: string) {
  return { fires: { series: { [named(metric)]: firing }, labels: instance }, rests: { [named(metric)]: resting } }
}

test('each alert fires in the state that it is for, and not beside it', needsPrometheus, () => {
  const tests = alerts.flatMap(({ name: alertname, summary, runbook_url, severity }) => {
    const { fires, rests } = CASES[alertname] ?? assert.fail(`there is no case for ${alertname}`)
    // So that the first alert does not fire because nothing is known.
    const up = alertname === 'ClinicdDown' ? {} : { [named('up')]: '1x60' }
    const fired = { exp_labels: { ...fires.labels, severity }, exp_annotations: { summary, runbook_url } }
    return [
      { series: { ...up, ...fires.series }, exp_alerts: [fired] },
      { series: { ...up, ...rests }, exp_alerts: [] },
    ].map(({ series, exp_alerts }) => ({
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      alert_rule_test: [{ eval_time: '58m', alertname, exp_alerts }],
    }))
  })
  // Every second minute is often enough for the shortest time that an alert waits, and half the work.
  const path = join(folder, 'rules-test.json')
  writeFileSync(path, JSON.stringify({ rule_files: [rulesPath], evaluation_interval: '2m', tests }))
  assert.match(execFileSync('promtool', ['test', 'rules', path], { encoding: 'utf8' }), /SUCCESS/)
  assert.match(execFileSync('promtool', ['check', 'rules', rulesPath], { encoding: 'utf8' }), /SUCCESS/)
  execFileSync('promtool', ['check', 'config', join(root, 'deploy/prometheus.yml')])
})

test('every expression of the dashboard can be read', needsPrometheus, () => {
  const rules = charts.map(({ expr }, i) => ({ record: `chart:${i}`, expr: expr.replaceAll('$__rate_interval', '1m') }))
  const path = join(folder, 'charts.json')
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'charts', rules }] }))
  assert.match(execFileSync('promtool', ['check', 'rules', path], { encoding: 'utf8' }), /SUCCESS/)
})

test('Prometheus asks the private listener where the service shows its metrics, and reads these rules', () => {
  const configuration = textOf('deploy/prometheus.yml')
  const { adminPort } = readConfig({})
  assert.match(configuration, new RegExp(`targets: \\['127\\.0\\.0\\.1:${adminPort}'`))
  const [, service = ''] = /job_name: clinicd$(.*?)job_name:/ms.exec(configuration) ?? []
  assert.match(service, /static_configs/)
  assert.doesNotMatch(service, /metrics_path|scheme:/)
  assert.match(configuration, /rule_files:.*alerts\.yaml/s)
})
