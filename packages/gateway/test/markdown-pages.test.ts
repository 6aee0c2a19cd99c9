// The reference in Markdown: every page and every operation, whole, with links that a program can follow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOperations, eventTypes, operations } from '@clinic-data/contract'
import { events as eventRecords } from '@clinic-data/contract/event-types'
import { guide } from '@clinic-data/contract/projections/guide'
import { openapi } from '@clinic-data/contract/projections/openapi'
import { contentsOf, PLACES, readingOrder } from '../src/reference/contents.ts'
import { markdownPages, markdownPaths } from '../src/reference/markdown-pages.ts'
import { table } from '../src/reference/operation-markdown.ts'
import { problemIndexPage } from '../src/reference/problem-pages.ts'
import { referencePages } from '../src/reference/reference-pages.ts'
import { PROGRAMS } from '../src/reference/repository-page.ts'

const BASE_URL = 'https://api.clinic-data.example'
const document = openapi(BASE_URL)
const contents = contentsOf(document, guide(BASE_URL))
const pages = markdownPages(document, contents)
const list = pages.get('/llms.txt')?.body ?? assert.fail('no list')
const others = [...pages].filter(([path]) => path !== '/llms.txt')

test('the list names each page of the reference once, by an address that is served', () => {
  assert.match(list, /^# Clinic Data API\n\n> .+\n/)
  const listed = [...list.matchAll(/^- \[(.+)\]\((.+)\): .+$/gm)].map(([, title, address = '']) => [
    title,
    address.replace(BASE_URL, ''),
  ])
  const expected = readingOrder(contents)
    .filter(({ path }) => path !== PLACES.home.path && path !== PLACES.problems.path)
    .map(({ path, title }) => [title, `${path}.md`])
  assert.deepEqual(listed.sort(), expected.sort())
  assert.deepEqual([...pages.keys()].sort(), markdownPaths(contents).sort())
  for (const [path, { body }] of others) {
    const title = expected.find(([, address]) => address === path)?.[0]
    assert.ok(body.startsWith(`# ${title}\n\n`) && body.length > 200, path)
  }
})

test('each operation stands on one page, with its route, scope, parameters, samples, answer and problems', () => {
  for (const { id, method, path, scope, query, summary } of allOperations) {
    const route = `\`${method} ${path}\``
    const found = others.filter(([, { body }]) => body.includes(`\n\n${route} · `))
    assert.equal(found.length, 1, id)
    const [, { body } = { body: '' }] = found[0] ?? []
    const section = body.split('\n## ').find((one) => one.includes(`\n\n${route} · `)) ?? ''
    assert.ok(section.startsWith(summary), id)
    if (scope) assert.ok(section.includes(`scope \`${scope}\``), id)
    for (const name of Object.keys(query.properties)) assert.ok(section.includes(`| \`${name}\` |`), `${id} ${name}`)
    const item = document.paths[path]?.[method.toLowerCase() as 'get']
    for (const { source } of item?.['x-codeSamples'] ?? []) assert.ok(section.includes(source.trimEnd()), id)
    assert.match(section, /Answer 20\d:\n\n```json|It answers 20\d\./, id)
    assert.match(section, /\nProblems: 4\d\d `/, id)
  }
  const events = pages.get('/docs/events.md')?.body ?? ''
  for (const type of eventTypes) assert.ok(events.includes(`| \`${type}\` |`), type)
  assert.doesNotMatch(events, /\| `test` \|/)
  assert.match(events, /^The test event: No type to subscribe to/m)
})

test('a link leads to a page in Markdown, or to what else is served, by its whole address', () => {
  const html = new Set([...referencePages(document, contents).pages.keys(), PLACES.problems.path])
  assert.ok(problemIndexPage(contents))
  for (const [path, { body }] of pages) {
    assert.doesNotMatch(body, /\]\(\//, path)
    for (const [, place = ''] of body.matchAll(/\]\(https:\/\/api\.clinic-data\.example(\/[^)#]*)/g)) {
      const isServed =
        pages.has(place) || place in PROGRAMS || /^\/(?:problems|v1|packages|mcp|oauth|\.well-known)/.test(place)
      assert.ok(isServed, `${path} leads to ${place}${html.has(place) ? ', which has a page in Markdown' : ''}`)
    }
  }
})

test('the pages of events say how leads are followed, of which no event tells', () => {
  const resources = Object.values(eventRecords).map(({ resource }) => String(resource))
  assert.ok(!resources.includes('Lead'))
  assert.equal(operations['leads.list'].path, '/v1/leads')
  assert.ok(operations['leads.list'].query?.properties.updated_since)
  const people = referencePages(document, contents).pages.get('/docs/events')?.body ?? ''
  for (const body of [pages.get('/docs/events.md')?.body ?? '', people])
    assert.match(body, /Leads make no event.*GET \/v1\/leads\?updated_since=/)
})

test('no page ends with a colon, before something that only the page for people has', () => {
  for (const [path, { body }] of pages) assert.doesNotMatch(body, /:\s*$/, path)
})

test('no fence stays open, and no text of a cell ends its row', () => {
  assert.equal(table(['A', 'B'], [['x | y\nz', 'w']]), '| A | B |\n| --- | --- |\n| x \\| y z | w |')
  for (const [path, { body }] of pages) {
    assert.equal((body.match(/^```/gm) ?? []).length % 2, 0, path)
    if (['/docs/changelog.md', '/docs/releases.md', '/docs/clients.md'].includes(path)) continue
    const outside = body.replaceAll(/^```[\s\S]*?^```$/gm, '')
    for (const rows of outside.match(/(?:^\|.*\n?)+/gm) ?? []) {
      const columns = rows
        .trim()
        .split('\n')
        .map((row) => row.split(/(?<!\\)\|/).length)
      assert.equal(new Set(columns).size, 1, `${path}: ${rows.slice(0, 200)}`)
    }
  }
})

test('the dates of the samples move near the reader, and those of the changelog stay', () => {
  const near = markdownPages(document, contents, new Date('2026-11-21T12:00:00Z'))
  assert.match(pages.get('/docs/availability.md')?.body ?? '', /from=2026-07-26&to=2026-07-30/)
  assert.match(near.get('/docs/availability.md')?.body ?? '', /from=2026-11-22&to=2026-11-26/)
  assert.equal(near.get('/docs/changelog.md')?.body, pages.get('/docs/changelog.md')?.body)
})
