// One key sends the bodies that cost most to refuse, five a second, within its rate. Another clinic is not slowed.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { operations, REQUEST } from '@clinic-data/contract'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { tools } from '@clinic-data/contract/projections/tools'
import { worstBodies } from '../rules/worst-bodies.ts'
import { attackedService } from './attacked-service.ts'
import { assertMemory, assertUnhindered, underAttack, withstood } from './under-attack.ts'

/** As often as the key's rate allows. */
const EVERY_MS = 200
/** Bodies of a round, of each kind. The tools' come first. */
const OF_LEADS = 20
const LEAD = { first_name: 'Dana', source: 'website', phone: '050-123-4567' }
const MOST_MORE_MB = 100

test('the most expensive bodies of one key, over REST and MCP, do not slow another clinic', async (t) => {
  const service = await attackedService(t)
  const bodies = [...ofTools(REQUEST.mcp_body_bytes), ...ofTools(REQUEST.body_bytes), ...ofLeads()]
  await withstood(async () => {
    const statuses: Record<string, number> = {}
    const send = async ([path, body]: [path: string, body: string]) => {
      const headers = { authorization: `Bearer ${service.attacker.key}`, 'content-type': 'application/json' }
      const { status } = await fetch(service.address + path, { method: 'POST', headers, body }).then(
        discarded,
        unanswered,
      )
      statuses[`${path} ${status}`] = (statuses[`${path} ${status}`] ?? 0) + 1
    }
    const figures = await underAttack(service, {
      name: 'the most expensive bodies, five a second',
      attack: async (signal) => {
        const sent: Promise<void>[] = []
        for (let n = 0; !signal.aborted; n++) {
          sent.push(send(bodies[n % bodies.length] as [string, string]))
          await delay(EVERY_MS)
        }
        await Promise.all(sent)
      },
    })
    process.stdout.write(`the attacker was answered ${JSON.stringify(statuses)}\n`)
    for (const answer of ['/mcp 200', '/mcp 413', '/v1/leads 400'])
      assert.ok((statuses[answer] ?? 0) >= 3, `${answer}: ${JSON.stringify(statuses)}`)
    assertMemory(figures, MOST_MORE_MB)
    assertUnhindered(figures)
  })
})

/** Tool calls with unknown arguments. One that is too large is refused unread. */
function ofTools(bytes: number): [path: string, body: string][] {
  const tool = tools().find(({ name }) => name === 'appointments_list')
  return ['unknown keys', 'what cannot be stored', 'more keys than are read'].map((worst) => {
    const toolArguments = worstBodies({ schema: tool?.inputSchema as JsonSchema, example: {}, bytes: bytes - 200 })[
      worst
    ]
    assert.ok(toolArguments, `there is no worst body ${worst}`)
    return [
      '/mcp',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool?.name}","arguments":${toolArguments}}}`,
    ]
  })
}

/** Evenly from all, of each field and as a whole. */
function ofLeads(): [path: string, body: string][] {
  const schema = operations['leads.create'].body as unknown as JsonSchema
  const all = Object.values(worstBodies({ schema, example: LEAD, bytes: REQUEST.body_bytes }))
  const every = Math.ceil(all.length / OF_LEADS)
  return all.filter((_, at) => at % every === 0).map((body) => ['/v1/leads', body])
}

async function discarded(answer: Response): Promise<{ status: number }> {
  await answer.arrayBuffer().catch(() => undefined)
  return answer
}

/** The connection is closed after a refusal of an unread body. */
function unanswered(): { status: number } {
  return { status: 0 }
}
