// The alerts of `deploy/` and the charts of its dashboard, as values.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const root = dirname(import.meta.dirname)
export const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
export const rulesPath = join(root, 'deploy/alerts.yaml')
export const rules = readFileSync(rulesPath, 'utf8')

const field = (block: string, name: string) => new RegExp(`^ +${name}: '?(.*?)'?$`, 'm').exec(block)?.[1] ?? ''
export const alerts = rules
  .split('- alert: ')
  .slice(1)
  .map((block) => ({
    name: block.split('\n', 1)[0] ?? '',
    expr: field(block, 'expr'),
    severity: field(block, 'severity'),
    summary: field(block, 'summary'),
    runbook_url: field(block, 'runbook_url'),
  }))

interface Panel {
  id: number
  type: string
  title: string
  targets?: { expr: string; legendFormat: string }[]
}
export const { panels } = JSON.parse(textOf('deploy/grafana/clinic-data-api.json')) as { panels: Panel[] }
export const charts = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
