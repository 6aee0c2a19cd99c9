// The cost of a refused body: no content of one key's bodies may keep the process from serving others.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations, REQUEST, takesBody } from '@clinic-data/contract'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { tools } from '@clinic-data/contract/projections/tools'
import { sized } from '@clinic-data/testing/run/size'
import { ask, servedClinic } from '@clinic-data/testing/run/test-service'
import { validOptions, validPath } from './valid-request.ts'
import { kindOf, worstBodies } from './worst-bodies.ts'

/** CPU time per body: five of them a second take a tenth of a processor. */
const MOST_MS = 20
const MEASURED = 5
const ENOUGH_MS = sized({ everyday: MOST_MS, long: MOST_MS / 2 })
/** A disturbed measurement is repeated. A body that really costs too much does so each time. */
const TRIES = 10
/** A slow or busy machine is measured by the same work: parsing this text takes a third of the limit on a quiet one. */
const YARDSTICK = JSON.stringify(Object.fromEntries(Array.from({ length: 25_000 }, (_, n) => [`name ${n}`, n])))
const MOST_YARDSTICKS = 2.5

const { service, clinic } = await servedClinic()

/** Fields of these kinds have been tried: every day each kind once, in the long size every field of all. */
const tried = new Set<string>()
const isEach = sized({ everyday: false, long: true })

interface ToTry {
  readonly fields: readonly string[]
  /** Also what does not follow from the fields: every day once for REST, and once for MCP. */
  readonly isWhole: boolean
}

/** Returns what to try of a body. Null when it has nothing new. */
function toTry(surface: string, { properties = {} }: JsonSchema): ToTry | null {
  const isNew = (kind: string) => isEach || (!tried.has(kind) && tried.add(kind).size > 0)
  const isWhole = isNew(surface)
  const fields = Object.entries(properties).filter(([, field]) => isNew(`${surface} ${kindOf(field as JsonSchema)}`))
  return isWhole || fields.length > 0 ? { fields: fields.map(([name]) => name), isWhole } : null
}

for (const operation of allOperations) {
  if (!takesBody(operation.method)) continue
  const schema = (operation.body ?? {}) as unknown as JsonSchema
  const tries = toTry('rest', schema)
  if (tries === null) continue
  test(`a refused body of ${operation.id} costs little, with any content`, async (context) => {
    const path = await validPath(service, clinic, operation)
    const example = (validOptions(operation).body ?? {}) as object
    const bodies = Object.entries(worstBodies({ schema, example, bytes: REQUEST.body_bytes }, tries))
    const dearest = await dearestOf(bodies, async (name, body) => {
      assert.ok(Buffer.byteLength(body) <= REQUEST.body_bytes, name)
      const { status } = await send(path, body, operation.method)
      assert.ok([200, 201, 202, 400, 422].includes(status), `${name}: ${status}`)
    })
    context.diagnostic(dearest)
  })
}

for (const { name: tool, inputSchema } of tools()) {
  const schema = inputSchema as JsonSchema
  const tries = toTry('mcp', schema)
  if (tries === null) continue
  test(`refused arguments of ${tool} cost little, with any content`, async (context) => {
    const bodies = worstBodies({ schema, example: {}, bytes: REQUEST.mcp_body_bytes - 200 }, tries)
    const calls = Object.entries(bodies).map(([name, body]): [string, string] => {
      const params = `{"name":"${tool}","arguments":${body}}`
      return [name, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`]
    })
    const dearest = await dearestOf(calls, async (name, body) => {
      assert.ok(Buffer.byteLength(body) <= REQUEST.mcp_body_bytes, name)
      const { status } = await send('/mcp', body)
      assert.ok([200, 400].includes(status), `${name}: ${status}`)
    })
    context.diagnostic(dearest)
  })
}

function send(path: string, body: string, method: string = 'POST') {
  return ask(service, clinic.key, path, { method, body })
}

/** Sends each body and finds the most expensive one. None may exceed the limit. */
async function dearestOf(
  bodies: readonly [name: string, body: string][],
  sendBody: (name: string, body: string) => Promise<void>,
): Promise<string> {
  let dearest = { name: '', milliseconds: 0 }
  for (const [name, body] of bodies) {
    let milliseconds = await costOf(() => sendBody(name, body), 1)
    let most = MOST_MS
    // A first run below this needs no second one.
    if (milliseconds > ENOUGH_MS) milliseconds = Number.POSITIVE_INFINITY
    for (let n = 0; n < TRIES && milliseconds > most; n++) {
      const yardstick = n === 0 ? 0 : await costOf(async () => JSON.parse(YARDSTICK))
      most = Math.max(MOST_MS, yardstick * MOST_YARDSTICKS)
      milliseconds = await costOf(() => sendBody(name, body))
    }
    assert.ok(milliseconds <= most, `${name}: ${milliseconds} ms of CPU time, at most ${most} are allowed`)
    if (milliseconds > dearest.milliseconds) dearest = { name, milliseconds }
  }
  assert.notEqual(dearest.name, '', 'nothing was tried')
  return `at most ${dearest.milliseconds.toFixed(1)} ms: ${dearest.name}`
}

/** The CPU time of this process in milliseconds, the median of several runs. */
async function costOf(work: () => Promise<unknown>, runs = MEASURED): Promise<number> {
  const costs: number[] = []
  for (let n = 0; n < runs; n++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1000)
  }
  return costs.sort((a, b) => a - b)[runs >> 1] ?? 0
}
