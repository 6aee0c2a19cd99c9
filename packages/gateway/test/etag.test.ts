// Entity tags: equal for equal answers only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, matches } from '../src/answers/etag.ts'

test('answers that differ in one byte anywhere have different tags', () => {
  const body = JSON.stringify({ data: Array.from({ length: 200 }, (_, id) => ({ id, name: 'Testa' })) })
  const tags = new Set([etagOf(body)])
  for (let at = 0; at < body.length; at++) tags.add(etagOf(`${body.slice(0, at)}!${body.slice(at + 1)}`))
  tags.add(etagOf(`${body} `))
  assert.equal(tags.size, body.length + 2)
  assert.equal(etagOf(Buffer.from(body)), etagOf(body))
})

test('a tag matches in any list, weak or strong, and never by a part of it', () => {
  const etag = etagOf('{}')
  for (const header of [etag, etag.slice(2), `"x" , ${etag}`, '*', ' * ']) assert.ok(matches(header, etag), header)
  for (const header of ['', '"x"', etag.slice(0, -2), `${etag}"`, etag.slice(3, -1), '"*"'])
    assert.ok(!matches(header, etag), header)
})
