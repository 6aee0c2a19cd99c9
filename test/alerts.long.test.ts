// A real Prometheus scrapes a running service, loads the rules of `deploy/`, and fires when the service ends.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import * as schema from '@clinic-data/backend/migrations'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { alerts, charts, rules, textOf } from './alert-files.ts'
import { needsPrometheus, startPrometheus } from './prometheus.ts'

const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test(
  'a real Prometheus scrapes the service, loads the rules, and fires when the service ends',
  needsPrometheus,
  async () => {
    const base = await ownGround(schema)
    const service = await startClinicd([], {
      DATABASE_URL: base.url,
      DATA_DIR: folder,
      SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    })
    // The rules themselves, with less patience.
    const quick = join(folder, 'alerts.yaml')
    writeFileSync(quick, rules.replaceAll(/^( +for): .*$/gm, '$1: 1s'))
    const configuration = textOf('deploy/prometheus.yml')
      .replaceAll('15s', '1s')
      .replace('alerts.yaml', quick)
      .replace('127.0.0.1:8081', new URL(service.adminAddress).host)
    const { ask } = await startPrometheus(configuration)
    const health = async () => {
      const { data } = await ask('targets')
      const { activeTargets } = data as { activeTargets: { health: string; labels: { job: string } }[] }
      return activeTargets.filter(({ labels }) => labels.job === 'clinicd').map((one) => one.health)
    }
    while ((await health())[0] !== 'up') await delay(100)
    const { data } = await ask('rules')
    const { groups } = data as { groups: { rules: { name: string; health: string; lastError?: string }[] }[] }
    const loaded = groups.flatMap((group) => group.rules)
    assert.deepEqual(
      loaded.map(({ name }) => name),
      alerts.map(({ name }) => name),
    )
    assert.deepEqual(
      loaded.filter(({ lastError }) => lastError),
      [],
    )
    for (const { title, expr } of charts) {
      const query = encodeURIComponent(expr.replaceAll('$__rate_interval', '1m'))
      const { status, error } = await ask(`query?query=${query}`)
      assert.equal(status, 'success', `${title}: ${error}`)
    }
    const firing = async () => {
      const { data } = await ask('alerts')
      return (data as { alerts: { state: string; labels: { alertname: string } }[] }).alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => labels.alertname)
    }
    // Before the first scrape no process was known.
    while ((await firing()).includes('ClinicdDown')) await delay(100)
    await service.end('SIGKILL')
    while (!(await firing()).includes('ClinicdDown')) await delay(100)
  },
)
