// Lists the parts of the reference, with the address of each: a page for each guide, one for each group of operations, and others.
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import { type Section, sections } from './markdown.ts'
import type { Route } from './operation-section.ts'

/** A page for people. */
export interface Place {
  path: string
  title: string
}

export interface Guide extends Place, Section {}

/** A resource's operations, or those of one subject. */
export interface Group extends Place {
  slug: string
  description: string
  routes: readonly Route[]
}

export interface Contents {
  guides: readonly Guide[]
  groups: readonly Group[]
}

/** The pages that are neither a guide nor a group. */
export const PLACES = {
  home: { path: '/docs', title: 'Overview' },
  install: {
    path: '/docs/install',
    title: 'Install',
    description: 'What to install for each language, and the first request.',
  },
  clients: {
    path: '/docs/clients',
    title: 'Generated clients',
    description: 'Generators that make a client for your language.',
  },
  events: {
    path: '/docs/events',
    title: 'Events',
    description: 'Every type of event, when it fires and what it holds.',
  },
  datasets: {
    path: '/docs/datasets',
    title: 'Datasets',
    description: 'What analytics can count and sum: every dataset with its measures, dimensions and filters.',
  },
  problems: { path: '/problems', title: 'Problems' },
  changelog: {
    path: '/docs/changelog',
    title: 'Changelog',
    description: 'What has changed for integrations, day by day.',
  },
  releases: {
    path: '/docs/releases',
    title: 'Releases',
    description: 'What each version changes for operators and clinics too.',
  },
} as const satisfies Record<string, Place & { description?: string }>

/** Pages that tell of days: the dates of examples move, and theirs stay. */
export const DATED: readonly string[] = [PLACES.changelog.path, PLACES.releases.path]

/** @param text the guide in Markdown, a page a section. */
export function contentsOf(document: OpenApiDocument, text: string): Contents {
  const guides = sections(text).map((section) => ({ ...section, path: `/docs/${section.slug}` }))
  return { guides, groups: groupsOf(document, new Set(guides.map(({ slug }) => slug))) }
}

function groupsOf(document: OpenApiDocument, taken: ReadonlySet<string>): Group[] {
  const routes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Route => ({ method, path, operation })),
  )
  return document.tags
    .map(({ name, description }) => {
      const slug = name.toLowerCase().replaceAll(/[^a-z]+/g, '-')
      const hasGuide = taken.has(slug)
      return {
        title: hasGuide ? `${name} API` : name,
        slug,
        description,
        path: hasGuide ? `/docs/${slug}-api` : `/docs/${slug}`,
        routes: routes.filter(({ operation }) => operation.tags.includes(name)),
      }
    })
    .filter(({ routes }) => routes.length > 0)
}

/** All pages in the order in which they are read. */
export function readingOrder({ guides, groups }: Contents): Place[] {
  const [first, ...others] = guides
  const { home, install, clients, events, datasets, problems, changelog, releases } = PLACES
  return [
    home,
    ...(first ? [first] : []),
    install,
    clients,
    ...others,
    ...groups,
    events,
    datasets,
    problems,
    changelog,
    releases,
  ]
}
