// A cursor continues only where it began: in the list of one patient, conversation or subscription.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations, type IdKind, idLists, type Operation, operations } from '@clinic-data/contract'
import { tools } from '@clinic-data/contract/projections/tools'
import { ask, pathOf, servedClinic } from '@clinic-data/testing/run/test-service'
import { callTool } from '../mcp/messages.ts'

const { service, clinic } = await servedClinic()

/** The ids that the list of a kind shows. */
async function idsOf(kind: IdKind): Promise<string[]> {
  const { json } = await ask(service, clinic.key, `${operations[idLists[kind]].path}?limit=100`)
  return json.data.map(({ id }: { id: string }) => id)
}

/** A list that has a second page: its owner, and the cursor. */
async function begun(operation: Operation, ids: readonly string[]): Promise<{ id: string; cursor: string } | null> {
  for (const id of ids) {
    const { json } = await ask(service, clinic.key, `${pathOf(operation, { id })}?limit=1`)
    if (json.next_cursor) return { id, cursor: json.next_cursor }
  }
  return null
}

for (const kind of ['patient', 'conversation'] as const) {
  for (const operation of allOperations.filter(({ shape, ids }) => shape === 'page' && ids.id === kind)) {
    test(`${operation.id}: the cursor of one id is refused for another, by REST and by a tool`, async () => {
      const ids = await idsOf(kind)
      const { id, cursor } = (await begun(operation, ids)) ?? assert.fail('no list has a second page')
      const other = ids.find((one) => one !== id) ?? assert.fail()
      const page = (of: string) => ask(service, clinic.key, `${pathOf(operation, { id: of })}?limit=1&cursor=${cursor}`)
      assert.equal((await page(id)).status, 200)
      const refused = await page(other)
      assert.deepEqual([refused.status, refused.json.errors?.[0].parameter], [400, 'cursor'])

      const tool = tools().find(({ runs }) => 'operation' in runs && runs.operation === operation.id)
      const name = tool?.path_arguments.id
      if (tool === undefined || name === undefined) return
      const call = (of: string) => callTool(service, clinic.key, tool.name, { [name]: of, limit: 1, cursor })
      assert.notEqual((await call(id)).isError, true)
      const answer = await call(other)
      assert.deepEqual([answer.isError, JSON.parse(answer.text).errors[0].parameter], [true, 'cursor'])
    })
  }
}
