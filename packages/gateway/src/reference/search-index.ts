// Builds the index that the search of the reference looks through: an entry for everything that has a place of its own.
import { problems } from '@clinic-data/contract'
import type { Dataset } from '@clinic-data/contract/analytics/dataset'
import { datasetNames, datasets } from '@clinic-data/contract/analytics/datasets'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import { type Contents, PLACES } from './contents.ts'
import { eventAnchor } from './event-page.ts'
import { packagesText } from './install-page.ts'
import { plain } from './markdown.ts'
import { anchorOf, parameterAt, type Route } from './operation-section.ts'
import { etagOf, type Served } from './page-frame.ts'
import { repositoryText } from './repository-page.ts'
import { followed } from './schema-words.ts'

export interface Entry {
  title: string
  /** The kind of the place. */
  place: string
  href: string
  /** Names that lead here although no sentence holds them. */
  words: string
  text: string
}

/** Words that people search a page by, and that it does not have. */
const WORDS: Readonly<Record<string, string>> = {
  appointments: 'book an appointment booking',
  errors: 'error codes status codes',
  'quick-start': 'sandbox test mode',
  'requests-and-answers': 'timezone time zone utc',
}

/** @param schemas the address of each resource's fields, by the resource's name. */
export function searchIndex(
  document: OpenApiDocument,
  contents: Contents,
  schemas: ReadonlyMap<string, string>,
): Served {
  const body = JSON.stringify(entries(document, contents, schemas))
  return { body, type: 'application/json; charset=utf-8', etag: etagOf(body) }
}

function entries(
  document: OpenApiDocument,
  { guides, groups }: Contents,
  schemas: ReadonlyMap<string, string>,
): Entry[] {
  return [
    ...guides.map(({ title, slug, path, markdown }) => entry(title, 'Guide', path, WORDS[slug] ?? '', markdown)),
    ...groups.map(({ title, slug, path, description }) =>
      entry(title, 'Reference', path, WORDS[slug] ?? '', description),
    ),
    ...groups.flatMap(({ path, routes }) => routes.map((route) => operationEntry(route, path, document))),
    ...[...schemas].map(([name, href]) => entry(name, 'Resource', href, fieldNames({ $ref: name }, document), '')),
    ...Object.entries(document.webhooks).map(([type, { post }]) =>
      entry(type, 'Event', `${PLACES.events.path}#${eventAnchor(type)}`, type.replaceAll('.', ' '), post.description),
    ),
    entry(PLACES.datasets.title, 'Page', PLACES.datasets.path, 'analytics metrics', PLACES.datasets.description),
    ...datasetNames.flatMap((name) => datasetEntries(datasets[name])),
    ...Object.entries(problems).map(([slug, [status, title, help]]) =>
      entry(title, `Problem ${status}`, `${PLACES.problems.path}/${slug}`, `${slug} ${status}`, help),
    ),
    entry(PLACES.install.title, 'Page', PLACES.install.path, 'npm pip sdk', packagesText(document)),
    entry(
      PLACES.clients.title,
      'Page',
      PLACES.clients.path,
      'sdk openapi generator postman insomnia',
      repositoryText('docs/clients.md'),
    ),
    entry(PLACES.changelog.title, 'Page', PLACES.changelog.path, 'news changes', repositoryText('docs/api-changes.md')),
    entry(
      PLACES.releases.title,
      'Page',
      PLACES.releases.path,
      'versions upgrade',
      leadsOf(repositoryText('CHANGELOG.md')),
    ),
  ]
}

/** The bold beginnings of a changelog's lines: the whole text would be a third of the index, and grow with each version. */
function leadsOf(markdown: string): string {
  return [...markdown.matchAll(/\*\*[^*]+\*\*/g)].join(' ')
}

function entry(title: string, place: string, href: string, words: string, markdown: string): Entry {
  return { title, place, href, words, text: plain(markdown) }
}

function operationEntry({ method, path, operation }: Route, page: string, document: OpenApiDocument): Entry {
  const { summary, operationId, parameters, requestBody, description } = operation
  const words = [
    operationId,
    path.replaceAll('/', ' '),
    ...parameters.map((one) => parameterAt(one, document).name),
    requestBody ? fieldNames(requestBody.content['application/json'].schema, document) : '',
  ]
  const place = `${method.toUpperCase()} ${path}`
  return entry(summary, place, `${page}#${anchorOf(operation)}`, words.join(' '), description)
}

/** The dataset, which its dimensions lead to, and each of its measures: people search for the figure. */
function datasetEntries({ name, description, dimensions, filters, measures }: Dataset): Entry[] {
  const href = `${PLACES.datasets.path}#${name}`
  const names = new Set([...Object.keys(dimensions), ...Object.keys(filters), 'analytics metrics dataset'])
  return [
    entry(name, 'Dataset', href, [...names].join(' '), description),
    ...Object.entries(measures).map(([measure, { description }]) =>
      entry(measure, `Measure of ${name}`, href, measure.replaceAll('_', ' '), description),
    ),
  ]
}

function fieldNames(schema: JsonSchema, document: OpenApiDocument): string {
  return Object.keys(followed(schema, document).properties ?? {}).join(' ')
}
