// The reference and the problem pages: complete, safe from any text in the document, and without anything from outside.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allOperations, eventTypes, type ProblemSlug, problems } from '@clinic-data/contract'
import { openapi } from '@clinic-data/contract/projections/openapi'
import { assets, PAGE_POLICY } from '../src/reference/page-frame.ts'
import { problemIndexPage, problemPage } from '../src/reference/problem-pages.ts'
import { referencePage } from '../src/reference/reference-page.ts'

const BASE_URL = 'https://api.clinic-data.example'
const document = openapi(BASE_URL)
const reference = referencePage(document)
const problemPages = (Object.keys(problems) as ProblemSlug[]).map((slug) => {
  const found = problemPage(slug, BASE_URL)
  assert.ok(found, slug)
  return found
})
const pages = [reference, problemIndexPage(), ...problemPages]

const attributes = (body: string, name: string) =>
  [...body.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map((match) => match[1] ?? '')
const shownText = (body: string) =>
  body
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Elements without their opening or closing tag. */
function unbalanced(body: string): string[] {
  const empty = new Set(['meta', 'link', 'img', 'wbr'])
  const open: string[] = []
  for (const [, slash, name = ''] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (empty.has(name)) continue
    if (!slash) open.push(name)
    else if (open.at(-1) === name) open.pop()
    else return [`</${name}> closes ${open.at(-1)}`]
  }
  return open
}

describe('the reference', () => {
  test('every operation appears once, with its route, its scope and both samples', () => {
    const ids = attributes(reference.body, 'id')
    const text = shownText(reference.body)
    for (const { id, path, scope } of allOperations) {
      const anchor = id.replaceAll('.', '-').replaceAll('_', '-')
      assert.equal(ids.filter((one) => one === anchor).length, 1, anchor)
      assert.ok(text.includes(path), path)
      if (scope) assert.ok(text.includes(`Scope ${scope}`), scope)
    }
    for (const item of Object.values(document.paths)) {
      for (const operation of Object.values(item)) {
        for (const { source } of operation['x-codeSamples']) assert.ok(text.includes(source), source)
      }
    }
  })

  test('the anchor of an operation is its id with dashes', () => {
    assert.ok(attributes(reference.body, 'id').includes('patients-list'))
    assert.ok(attributes(reference.body, 'id').includes('webhooks-deliveries-retry'))
  })

  test('every field of every answered resource is explained', () => {
    for (const name of [
      'Patient',
      'Appointment',
      'Treatment',
      'Payment',
      'Call',
      'ChatMessage',
      'Lead',
      'Webhook',
      'Delivery',
    ]) {
      const start = reference.body.indexOf(`id="schema-${name}"`)
      assert.ok(start > 0, name)
      const fields = Object.keys(
        document.components.schemas[`${name}Detailed`]?.properties ??
          document.components.schemas[name]?.properties ??
          {},
      )
      const section = reference.body.slice(start, reference.body.indexOf('</section>', start))
      for (const field of fields) assert.ok(section.includes(`<code>${field}</code>`), `${name}.${field}`)
    }
  })

  test('every event type and every section of the guide appears', () => {
    const ids = attributes(reference.body, 'id')
    for (const type of eventTypes) assert.ok(ids.includes(`event-${type.replaceAll(/[._]/g, '-')}`), type)
    for (const slug of ['authentication', 'pagination', 'errors', 'rate-limit', 'webhooks', 'versioning'])
      assert.ok(ids.includes(slug), slug)
  })

  test('no two elements have the same id, and every link inside the page has a target', () => {
    const ids = attributes(reference.body, 'id')
    assert.equal(new Set(ids).size, ids.length)
    const links = attributes(reference.body, 'href').filter((href) => href.startsWith('#'))
    assert.ok(links.length > 100)
    assert.deepEqual(
      links.filter((href) => !ids.includes(href.slice(1))),
      [],
    )
  })

  test('every linked problem has a page', () => {
    const slugs = attributes(reference.body, 'href').flatMap((href) => /^\/problems\/(.+)$/.exec(href)?.[1] ?? [])
    assert.ok(slugs.length > 100)
    for (const slug of slugs) assert.ok(problemPage(slug, BASE_URL), slug)
  })

  test('text that reads from right to left keeps its own direction inside an example', () => {
    assert.match(reference.body, /"<bdi>שלום [^<]*<\/bdi>"/)
  })

  test('the same document gives the same page and tag, and another gives another tag', () => {
    assert.deepEqual(referencePage(openapi(BASE_URL)), reference)
    assert.notEqual(referencePage(openapi('https://other.example')).etag, reference.etag)
    assert.match(reference.etag, /^"[\w-]{22}"$/)
  })
})

describe('every page', () => {
  test('loads nothing from outside, runs no script and has no inline style', () => {
    for (const { body } of pages) {
      assert.doesNotMatch(body, /<script|<style|<iframe|<object|<form|javascript:| style="| on[a-z]+="/i)
      const loaded = [
        ...attributes(body, 'src'),
        ...[...body.matchAll(/<link rel="(?:stylesheet|icon)"[^>]*href="([^"]*)"/g)].map((match) => match[1] ?? ''),
      ]
      assert.ok(loaded.length >= 2)
      for (const path of loaded) assert.ok(path in assets, path)
      for (const href of attributes(body, 'href'))
        assert.match(href, /^(#|\/(docs|problems|v1\/openapi\.json)|https:\/\/api\.clinic-data\.example\/problems$)/)
    }
  })

  test('its assets load nothing from outside either, and the policy allows them', () => {
    for (const { body, type } of Object.values(assets)) {
      assert.doesNotMatch(body.replace('http://www.w3.org/2000/svg', ''), /url\(|@import|https?:|<script/)
      assert.ok(['text/css; charset=utf-8', 'image/svg+xml'].includes(type))
    }
    assert.ok(PAGE_POLICY.startsWith("default-src 'none'"))
    assert.doesNotMatch(PAGE_POLICY, /unsafe|script-src|\*|https?:/)
  })

  test('is well formed', () => {
    for (const { body } of pages) {
      assert.deepEqual(unbalanced(body), [])
      assert.ok(body.startsWith('<!doctype html>'))
    }
  })

  test('shows hostile text as text, anywhere in the document', () => {
    const hostile = `<script>alert('x')</script>"><img src=x onerror=alert(1)>`
    const infected = structuredClone(openapi(BASE_URL))
    const replace = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value)) {
        if (key === '$ref') continue
        if (
          typeof inner === 'string' &&
          ['description', 'summary', 'title', 'source', 'text', 'label', 'name', 'format'].includes(key)
        ) {
          Object.assign(value, { [key]: `${inner} ${hostile}` })
        } else replace(inner)
      }
    }
    replace(infected.info)
    replace(infected.components)
    replace(infected.paths)
    replace(infected.webhooks)
    const { body } = referencePage(infected)
    assert.ok(body.includes('&lt;script&gt;'))
    assert.doesNotMatch(body, /<script|<img src=x/)
    assert.deepEqual(unbalanced(body), [])
  })

  test('a link of a text points to an address, never to a script', () => {
    const infected = structuredClone(openapi(BASE_URL))
    infected.info.description =
      '## Links\n\n[one](javascript:alert(1)) [two](data:text/html,x) [three](https://a.example/"onclick="x)'
    const { body } = referencePage(infected)
    assert.doesNotMatch(body, /href="(javascript|data):/)
    assert.doesNotMatch(body, / onclick="/)
  })
})

describe('the problem pages', () => {
  test('the type of a problem is the address of its page', () => {
    for (const slug of Object.keys(problems) as ProblemSlug[]) {
      assert.ok(shownText(problemPage(slug, BASE_URL)?.body ?? '').includes(`${BASE_URL}/problems/${slug}`), slug)
      assert.ok(problemIndexPage().body.includes(`href="/problems/${slug}"`), slug)
    }
  })

  test('only a repeatable request is said to be repeatable', () => {
    const retried = (Object.keys(problems) as ProblemSlug[]).filter((slug) =>
      /Retry<\/dt><dd>Yes/.test(problemPage(slug, BASE_URL)?.body ?? ''),
    )
    assert.deepEqual(retried.map((slug) => problems[slug][0]).sort(), [408, 429, 500, 502, 503])
  })

  test('an unknown problem has no page', () => {
    for (const slug of ['', 'nothing', 'toString', '__proto__', '../docs'])
      assert.equal(problemPage(slug, BASE_URL), null)
  })
})
