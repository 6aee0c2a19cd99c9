// No answer leaves before its audit row is stored. It has a service of its own, because one that sends what the requests make would
// not have its secret keys.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations, type Operation } from '@clinic-data/contract'
import { ask, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { callTool, send2026 } from '../mcp/messages.ts'
import { askValid, validOptions, validPath, validToolCalls } from './valid-request.ts'

test('without its audit row there is no answer: of no operation, no tool, no resource and no file', async () => {
  let isFull = false
  const service = await startParts({
    wrap: (backend) => ({
      ...backend,
      audit: (rows) => (isFull ? Promise.reject(new Error('disk full')) : backend.audit(rows)),
    }),
  })
  const whileFull = async <T>(act: () => Promise<T>) => {
    isFull = true
    return act().finally(() => {
      isFull = false
    })
  }
  const isSilent = ({ status, text }: { status: number; text: string }, what: string) => {
    assert.equal(status, 503, what)
    assert.match(text, /could not be recorded/, what)
    assert.doesNotMatch(text, /first_name|"data"|clinic_id|disk full/, what)
  }
  try {
    const clinic = await smallClinic(service)
    const link = async (operation: Operation) => new URL((await askValid(service, clinic, operation)).json.data.url)
    for (const operation of allOperations) {
      if (operation.shape === 'link') {
        const { pathname, search } = await link(operation)
        isSilent(await whileFull(() => ask(service, null, pathname + search)), `the file of ${operation.id}`)
      }
      const path = await validPath(service, clinic, operation)
      isSilent(await whileFull(() => ask(service, clinic.key, path, validOptions(operation))), operation.id)
    }
    for (const { name, toolArguments } of await validToolCalls(service, clinic)) {
      const { isError, text } = await whileFull(() => callTool(service, clinic.key, name, toolArguments))
      assert.equal(isError, true, name)
      isSilent({ status: 503, text }, name)
    }
    for (const uri of ['clinic://catalog/branches', 'clinic://analytics/datasets']) {
      const { json } = await whileFull(() => send2026(service, clinic.key, 'resources/read', { uri }))
      isSilent({ status: json.error.data.status, text: JSON.stringify([json.error.data, json.result]) }, uri)
    }
  } finally {
    await service.close()
  }
})
