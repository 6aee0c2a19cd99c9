// The reference and the problem pages: complete, safe from any text in the document, and without anything from outside.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { allOperations, eventTypes, type ProblemSlug, problems } from '@clinic-data/contract'
import { guide } from '@clinic-data/contract/projections/guide'
import { openapi } from '@clinic-data/contract/projections/openapi'
import { contentsOf, PLACES, readingOrder } from '../src/reference/contents.ts'
import { assets, PAGE_POLICY } from '../src/reference/page-frame.ts'
import { problemIndexPage, problemPage } from '../src/reference/problem-pages.ts'
import { referencePages } from '../src/reference/reference-pages.ts'
import { PROGRAMS } from '../src/reference/repository-page.ts'

const BASE_URL = 'https://api.clinic-data.example'
const document = openapi(BASE_URL)
const contents = contentsOf(document, guide(BASE_URL))
const slugs = Object.keys(problems) as ProblemSlug[]
const { pages, search, markdown } = referencePages(document, contents)
const pageAt = (path: string) => pages.get(path)?.body ?? assert.fail(`no page ${path}`)
const home = pageAt(PLACES.home.path)
pages.set(PLACES.problems.path, problemIndexPage(contents))
const OTHERS = ['/v1/openapi.json', '/packages', ...Object.keys(PROGRAMS)]
for (const slug of slugs) {
  const found = problemPage(slug, BASE_URL, contents)
  assert.ok(found, slug)
  pages.set(`/problems/${slug}`, found)
}

const attributes = (body: string, name: string) =>
  [...body.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map((match) => match[1] ?? '')
/** The pages that have an element with this id, the list of everything aside. */
const pagesWith = (id: string) =>
  [...pages].flatMap(([path, { body }]) =>
    path !== PLACES.home.path && attributes(body, 'id').includes(id) ? [path] : [],
  )
const SHOWN = new Map(Object.entries({ lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }))
const shownText = (body: string) =>
  body.replaceAll(/<[^>]*>/g, '').replaceAll(/&([^;\s]+);/g, (entity, name) => SHOWN.get(name) ?? entity)

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
  test('every operation appears on exactly one page, with its route, its scope and all samples', () => {
    const text = [...pages.values()].map(({ body }) => shownText(body)).join('\n')
    for (const { id, path, scope } of allOperations) {
      const [page = '', ...others] = pagesWith(id.replaceAll(/[._]/g, '-'))
      assert.deepEqual(others, [], id)
      assert.ok(shownText(pageAt(page)).includes(path), path)
      if (scope) assert.ok(text.includes(`Scope ${scope}`), scope)
    }
    for (const item of Object.values(document.paths)) {
      for (const operation of Object.values(item)) {
        for (const { source } of operation['x-codeSamples']) assert.ok(text.includes(source), source)
      }
    }
  })

  test('the anchor of an operation is its id with dashes', () => {
    assert.deepEqual(pagesWith('patients-list'), ['/docs/patients'])
    assert.deepEqual(pagesWith('webhooks-deliveries-retry'), ['/docs/webhooks-api'])
  })

  test('an address of the time when all was one page leads to the place that it meant', () => {
    const old = [
      ...allOperations.map(({ id }) => id.replaceAll(/[._]/g, '-')),
      ...eventTypes.map((type) => `event-${type.replaceAll(/[._]/g, '-')}`),
      ...['quick-start', 'errors', 'webhooks', 'group-webhooks', 'events', 'schema-Patient', 'schema-Delivery'],
    ]
    for (const anchor of old) {
      const target = new RegExp(`id="${anchor}">[^\n]*?<a href="([^"]+)"`).exec(home)?.[1] ?? assert.fail(anchor)
      const [path = '', inside] = target.split('#')
      assert.ok(pages.has(path), target)
      if (inside !== undefined) assert.equal(inside, anchor)
    }
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
      const [path = '', ...others] = pagesWith(`schema-${name}`)
      assert.deepEqual(others, [], name)
      const body = pageAt(path)
      const start = body.indexOf(`id="schema-${name}"`)
      const fields = Object.keys(
        document.components.schemas[`${name}Detailed`]?.properties ??
          document.components.schemas[name]?.properties ??
          {},
      )
      const section = body.slice(start, body.indexOf('</section>', start))
      for (const field of fields) assert.ok(section.includes(`<code>${field}</code>`), `${name}.${field}`)
    }
  })

  test('the dates of the examples move near the reader, and those of the changelog stay', () => {
    const near = referencePages(document, contents, new Date('2026-11-21T12:00:00Z')).pages
    const [before, after] = [pageAt('/docs/availability'), near.get('/docs/availability')?.body ?? '']
    assert.match(shownText(before), /from=2026-07-26&to=2026-07-30/)
    assert.match(shownText(after), /from=2026-11-22&to=2026-11-26/)
    assert.doesNotMatch(after, /2026-07/)
    assert.deepEqual(near.get('/docs/changelog'), pages.get('/docs/changelog'))
  })

  test('what makes a new thing shows 201 as its answer, also where the thing may exist already', () => {
    const shown = allOperations.filter(({ status }) => status === 201).map(({ id }) => id)
    assert.ok(shown.includes('leads.create'))
    for (const id of shown) {
      const anchor = `id="${id.replaceAll(/[._]/g, '-')}"`
      const section = [...pages.values()]
        .map(({ body }) => body.split(`<section class="operation" ${anchor}`)[1] ?? '')
        .join('')
      assert.match(section.slice(0, section.indexOf('</section>')), /<figcaption>201 answer<\/figcaption>/, id)
    }
  })

  test('every event type, section of the guide and problem has exactly one place', () => {
    for (const type of eventTypes)
      assert.deepEqual(pagesWith(`event-${type.replaceAll(/[._]/g, '-')}`), ['/docs/events'], type)
    const places = readingOrder(contents).map(({ path }) => path)
    assert.equal(new Set(places).size, places.length)
    for (const slug of [
      'quick-start',
      'authentication',
      'pagination',
      'errors',
      'rate-limit',
      'webhooks',
      'versioning',
    ])
      assert.ok(places.includes(`/docs/${slug}`), slug)
    for (const slug of slugs) assert.deepEqual(pagesWith(slug), ['/problems'], slug)
  })

  test('the changelogs show no marks of Markdown, one a place for each version, one for each day, the latest first', () => {
    assert.match(pageAt('/docs/releases'), /<h2 id="0-1-0">/)
    for (const path of ['/docs/releases', '/docs/changelog']) assert.doesNotMatch(pageAt(path), /\]\(|\*\*|>#/)
    const days = attributes(pageAt('/docs/changelog'), 'id').filter((id) => /^2\d{3}-\d\d-\d\d$/.test(id))
    assert.deepEqual([days.length > 5, days], [true, days.toSorted().toReversed()])
  })

  test('no two elements of a page have the same id, and every link has a target', () => {
    const idsOf = new Map([...pages].map(([path, { body }]) => [path, attributes(body, 'id')]))
    for (const [path, ids] of idsOf) assert.equal(new Set(ids).size, ids.length, path)
    const links = [...pages].flatMap(([path, { body }]) =>
      attributes(body, 'href').map((href) => (href.startsWith('#') ? `${path}${href}` : href.replace(BASE_URL, ''))),
    )
    assert.ok(links.length > 1000)
    const broken = links.filter((href) => {
      const [path = '', anchor] = href.split('#')
      const isServed = pages.has(path) || markdown.has(path) || path in assets || OTHERS.includes(path)
      const isInstaller = /^(?:vscode|cursor):/.test(href)
      return !(isServed || isInstaller) || (anchor !== undefined && !idsOf.get(path)?.includes(anchor))
    })
    assert.deepEqual(broken, [])
  })

  test('the search knows every operation, event type, problem and guide, each by its place', () => {
    const entries: { href: string }[] = JSON.parse(search.body)
    const hrefs = new Set(entries.map(({ href }) => href))
    for (const { id } of allOperations) {
      const anchor = id.replaceAll(/[._]/g, '-')
      assert.ok(hrefs.has(`${pagesWith(anchor)[0]}#${anchor}`), id)
    }
    for (const type of eventTypes) assert.ok(hrefs.has(`/docs/events#event-${type.replaceAll(/[._]/g, '-')}`), type)
    for (const slug of slugs) assert.ok(hrefs.has(`/problems/${slug}`), slug)
    for (const { path } of readingOrder(contents).slice(1))
      assert.ok(path === '/docs/events' || path === '/problems' || hrefs.has(path), path)
    assert.ok(brotliCompressSync(search.body).length < 40_000)
  })

  test('text that reads from right to left keeps its own direction inside an example', () => {
    assert.match(pageAt('/docs/chat'), /"<bdi>שלום [^<]*<\/bdi>"/)
  })

  test('the same document gives the same page and tag, and another gives another tag', () => {
    const made = (baseUrl: string) => {
      const made = openapi(baseUrl)
      return referencePages(made, contentsOf(made, guide(baseUrl))).pages.get('/docs')
    }
    assert.deepEqual(made(BASE_URL), pages.get('/docs'))
    assert.notEqual(made('https://other.example')?.etag, pages.get('/docs')?.etag)
    assert.match(pages.get('/docs')?.etag ?? '', /^"[\w-]{22}"$/)
  })
})

describe('every page', () => {
  test('loads nothing from outside, and has no inline script or style', () => {
    for (const { body } of pages.values()) {
      assert.equal([...body.matchAll(/<script/g)].length, 1)
      assert.match(body, /<script src="\/docs\/script-[\w-]{8}\.js"><\/script>/)
      assert.doesNotMatch(body, /<style|<iframe|<object|<form|javascript:| style="| on[a-z]+="/i)
      const loaded = [
        ...attributes(body, 'src'),
        ...[...body.matchAll(/<link rel="(?:stylesheet|icon)"[^>]*href="([^"]*)"/g)].map((match) => match[1] ?? ''),
      ]
      assert.ok(loaded.length >= 2)
      for (const path of loaded) assert.ok(path in assets, path)
    }
  })

  test('its assets also load nothing from outside, and the policy allows them', () => {
    for (const { body, type } of Object.values(assets)) {
      assert.doesNotMatch(body.replace('http://www.w3.org/2000/svg', ''), /url\(|@import|https?:|<script/)
      assert.ok(['text/css; charset=utf-8', 'text/javascript; charset=utf-8', 'image/svg+xml'].includes(type))
    }
    assert.ok(PAGE_POLICY.startsWith("default-src 'none'"))
    assert.match(PAGE_POLICY, /; script-src 'self';/)
    assert.doesNotMatch(PAGE_POLICY, /unsafe|\*|https?:/)
  })

  test('is small, and its script too', () => {
    for (const [path, { body }] of pages) assert.ok(brotliCompressSync(body).length < 40_000, path)
    const [script] = Object.values(assets).filter(({ type }) => type.startsWith('text/javascript'))
    assert.ok(brotliCompressSync(script?.body ?? assert.fail('no script')).length <= 30_000)
  })

  test('says where it is, and has a title and a description of its own', () => {
    const found = { title: new Set<string>(), description: new Set<string>() }
    for (const [path, { body }] of pages) {
      const title = /<title>([^<]+)<\/title>/.exec(body)?.[1] ?? assert.fail(path)
      const description = /<meta name="description" content="([^"]{10,250})">/.exec(body)?.[1] ?? assert.fail(path)
      assert.equal([...body.matchAll(/<h1>/g)].length, 1, path)
      const marked = [...body.matchAll(/aria-current="page"/g)].length
      assert.equal(marked, path === PLACES.home.path ? 1 : 2, path)
      found.title.add(title)
      found.description.add(description)
    }
    assert.equal(found.title.size, pages.size)
    assert.equal(found.description.size, pages.size)
  })

  test('is well formed', () => {
    for (const { body } of pages.values()) {
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
    const { pages: made } = referencePages(infected, contentsOf(infected, `${guide(BASE_URL)} ${hostile}`))
    assert.ok(made.get('/docs')?.body.includes('&lt;script&gt;'))
    for (const { body } of made.values()) {
      assert.doesNotMatch(body, /<script>|<img src=x/)
      assert.deepEqual(unbalanced(body), [])
    }
  })

  test('a link of a text points to an address, never to a script', () => {
    const infected =
      '## Links\n\n[one](javascript:alert(1)) [two](data:text/html,x) [three](https://a.example/"onclick="x)'
    const { body = '' } = referencePages(document, contentsOf(document, infected)).pages.get('/docs/links') ?? {}
    assert.ok(body.includes('one'))
    assert.doesNotMatch(body, /href="(javascript|data):/)
    assert.doesNotMatch(body, / onclick="/)
  })
})

describe('the problem pages', () => {
  test('the type of a problem is the address of its page', () => {
    for (const slug of Object.keys(problems) as ProblemSlug[]) {
      assert.ok(
        shownText(problemPage(slug, BASE_URL, contents)?.body ?? '').includes(`${BASE_URL}/problems/${slug}`),
        slug,
      )
      assert.ok(problemIndexPage(contents).body.includes(`href="/problems/${slug}"`), slug)
    }
  })

  test('only a repeatable request is said to be repeatable', () => {
    const retried = (Object.keys(problems) as ProblemSlug[]).filter((slug) =>
      /Retry<\/dt><dd>Yes/.test(problemPage(slug, BASE_URL, contents)?.body ?? ''),
    )
    assert.deepEqual(retried.map((slug) => problems[slug][0]).sort(), [408, 429, 500, 502, 503])
  })

  test('an unknown problem has no page', () => {
    for (const slug of ['', 'nothing', 'toString', '__proto__', '../docs'])
      assert.equal(problemPage(slug, BASE_URL, contents), null)
  })
})
