// A Prometheus for tests: the expressions of rules and dashboards, and a real server that scrapes. Debian's package `prometheus`.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { freePort } from '@clinic-data/testing/free-port'

/** For `test`: skips with a clear line where the program is missing. */
export const needsPrometheus = {
  skip:
    spawnSync('promtool', ['--version']).error === undefined
      ? false
      : 'Prometheus is not installed: apt-get install prometheus',
}

const FUNCTIONS = new Set(
  'absent by count histogram_quantile increase max max_over_time min min_over_time or rate sum time topk unless and without'.split(
    ' ',
  ),
)

export interface Selector {
  metric: string
  labels: string[]
}

/** The metrics that an expression names, each with the labels that it selects by. Any other word than a known function is one. */
export function selectorsOf(expression: string): Selector[] {
  const bare = expression.replaceAll(/\b(?:by|without) \([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/([a-z_][\w:]*)(?:\{([^}]*)\})?/g)]
    .map(([, metric = '', labels = '']) => ({
      metric,
      labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }))
    .filter(({ metric }) => !FUNCTIONS.has(metric))
}

/** The labels by which an expression groups. */
export function groupsOf(expression: string): string[] {
  return [...expression.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))
}

const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** A server with this configuration, which ends with the tests of the file. It answers to `ask`. */
export async function startPrometheus(configuration: string) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const port = await freePort()
  writeFileSync(join(folder, 'prometheus.yml'), configuration)
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  children.add(child)
  after(() => rmSync(folder, { recursive: true, force: true }))
  const lines = createInterface({ input: child.stderr })
  for await (const line of lines) if (line.includes('Server is ready')) break
  child.stderr.resume()
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    return (await answer.json()) as { status: string; error?: string; data: never }
  }
  return { ask }
}
