// The pages of the reference in Markdown, for agents and other programs, and the list of them at `/llms.txt` (https://llmstxt.org).
import { leadsHaveNoEvent } from '@clinic-data/contract/event-types'
import { datedNear } from '@clinic-data/contract/example-dates'
import { datasetSections } from '@clinic-data/contract/projections/analytics-guide'
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import { type Contents, DATED, PLACES, type Place, readingOrder } from './contents.ts'
import { EXAMPLE, factsOfEvent, TEST_EVENT, typesOf } from './event-page.ts'
import { environment, firstRequest, packagesText } from './install-page.ts'
import { firstSentence, plain } from './markdown.ts'
import { fenced, groupMarkdown, table } from './operation-markdown.ts'
import { etagOf, type Served } from './page-frame.ts'
import { repositoryText } from './repository-page.ts'

export const LIST = '/llms.txt'

/** The address of a page in Markdown. That of the first page lists the others. */
export function markdownPath(path: string): string {
  return path === PLACES.home.path ? LIST : `${path}.md`
}

/** The addresses of all of them. The list of problems has none: each answer has its problem. */
export function markdownPaths(contents: Contents): string[] {
  return readingOrder(contents).flatMap(({ path }) => (path === PLACES.problems.path ? [] : [markdownPath(path)]))
}

interface Written extends Place {
  description: string
  /** Without its title. */
  markdown: string
}

/**
 * By their addresses.
 *
 * @param now as of `referencePages`.
 * @example markdownPages(document, contentsOf(document)).get('/docs/patients.md')?.body
 */
export function markdownPages(document: OpenApiDocument, contents: Contents, now?: Date): Map<string, Served> {
  const { guides, groups } = contents
  const ofGuides = guides.map(({ path, title, markdown }) => ({
    path,
    title,
    markdown,
    description: firstSentence(markdown),
  }))
  const ofGroups = groups.map((group) => ({
    ...group,
    description: plain(group.description),
    markdown: groupMarkdown(group, document),
  }))
  const sections = {
    Guides: [...ofGuides, installing(document)],
    Reference: ofGroups,
    More: [clients(), events(document), { ...PLACES.datasets, markdown: datasetSections().trim() }, ...changelogs()],
  }
  const written: Written[] = Object.values(sections).flat()
  const base = document.servers[0]?.url ?? ''
  const known = new Set(written.map(({ path }) => path))
  const finished = ({ path, title, markdown }: Written) => {
    const text = `# ${title}\n\n${absolute(markdown, base, known)}\n`
    return now === undefined || DATED.includes(path) ? text : datedNear(text, now)
  }
  return new Map([
    ...written.map((one): [string, Served] => [markdownPath(one.path), served('text/markdown', finished(one))]),
    [LIST, served('text/plain', list(document, sections))],
  ])
}

function served(type: string, body: string): Served {
  return { body, type: `${type}; charset=utf-8`, etag: etagOf(body) }
}

function list({ info, servers }: OpenApiDocument, sections: Readonly<Record<string, readonly Written[]>>): string {
  const base = servers[0]?.url ?? ''
  const entry = ({ path, title, description }: Written) => `- [${title}](${base}${markdownPath(path)}): ${description}`
  const written = Object.entries(sections).map(([title, pages]) => `## ${title}\n\n${pages.map(entry).join('\n')}`)
  return [
    `# ${info.title}`,
    `> ${info.summary}`,
    `Version ${info.version}, at ${base}. The [OpenAPI 3.1 document](${base}/v1/openapi.json) has every field with its type.`,
    ...written,
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

/** A program that reads one page has no page that a link could start from. Links to pages lead to their Markdown. */
function absolute(markdown: string, base: string, known: ReadonlySet<string>): string {
  return markdown.replaceAll(
    /\]\((\/[^)#\s]*)(#[^)\s]*)?\)/g,
    (_, path: string, anchor = '') => `](${base}${known.has(path) ? markdownPath(path) : `${path}${anchor}`})`,
  )
}

function installing(document: OpenApiDocument): Written {
  const base = document.servers[0]?.url ?? ''
  return {
    ...PLACES.install,
    markdown: [environment(base), '## The first request', firstRequest, packagesText(document).trim()].join('\n\n'),
  }
}

function clients(): Written {
  return {
    ...PLACES.clients,
    markdown: withoutTitle(repositoryText('docs/clients.md')),
  }
}

function changelogs(): Written[] {
  return [
    { ...PLACES.changelog, markdown: withoutTitle(repositoryText('docs/api-changes.md')) },
    { ...PLACES.releases, markdown: withoutTitle(repositoryText('CHANGELOG.md')) },
  ]
}

function withoutTitle(text: string): string {
  return text.replace(/^# .*\n+/, '').trimEnd()
}

function events(document: OpenApiDocument): Written {
  const { webhooks } = document
  const test = webhooks[TEST_EVENT]?.post
  const rows = typesOf(document).map(([type, { post }]) => {
    const { fires, data } = factsOfEvent(post)
    return [`\`${type}\``, fires, data || 'any']
  })
  const example = webhooks[EXAMPLE]?.post.requestBody.content['application/json'].examples.event?.value
  return {
    ...PLACES.events,
    markdown: [
      table(['Type', 'Fires when', '`data`'], rows),
      leadsHaveNoEvent,
      ...(test ? [`The test event: ${factsOfEvent(test).fires}`] : []),
      fenced('A body', 'json', JSON.stringify(example, null, 2)),
    ].join('\n\n'),
  }
}
