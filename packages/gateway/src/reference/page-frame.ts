// The frame of every page for people: head, title bar, navigation, and the assets. We serve all of them ourselves.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Contents, PLACES, type Place } from './contents.ts'
import { type Html, html } from './html.ts'
import { contentsList, crumbs, neighbours } from './navigation.ts'

/** A page or an asset, with its strong entity tag. */
export interface Served {
  body: string
  type: string
  etag: string
}

/** Allows nothing from outside and nothing inline. The script may ask this service itself. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const etagOf = (body: string) => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

function asset(type: string, ...files: string[]): Served {
  const body = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')
  return { body, type, etag: etagOf(body) }
}

/** The files of the script share their names with each other, and with nothing else. */
function inOneScope({ body, type }: Served): Served {
  const scoped = `(() => {\n'use strict'\n${body}\n})()\n`
  return { body: scoped, type, etag: etagOf(scoped) }
}

const style = asset(
  'text/css; charset=utf-8',
  'style-base.css',
  'style-reference.css',
  'style-scripted.css',
  'style-media.css',
)
const script = inOneScope(
  asset(
    'text/javascript; charset=utf-8',
    ...['elements', 'language', 'copy', 'copy-page', 'places', 'search', 'try-it', 'start'].map(
      (name) => `../../browser/${name}.js`,
    ),
  ),
)
const icon = asset('image/svg+xml', 'icon.svg')

/** The address changes with the content, so it may be cached for ever. */
const hashed = ({ etag }: Served, name: string, ending: string) => `/docs/${name}-${etag.slice(1, 9)}.${ending}`
const STYLE_PATH = hashed(style, 'style', 'css')
const SCRIPT_PATH = hashed(script, 'script', 'js')
export const ICON_PATH = hashed(icon, 'icon', 'svg')

/** The pages' assets by path. */
export const assets: Readonly<Record<string, Served>> = {
  [STYLE_PATH]: style,
  [SCRIPT_PATH]: script,
  [ICON_PATH]: icon,
}

export interface Frame {
  path: string
  title: string
  description: string
  /** The pages above it, but the first. */
  above?: readonly Place[]
  contents: Contents
  /** The address of the same page in Markdown. */
  markdown?: string
  main: Html
}

export function page({ path, title, description, above = [], contents, markdown, main }: Frame): Served {
  const isHome = path === PLACES.home.path
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${isHome ? title : `${title}: Clinic Data API`}</title>
<meta name="description" content="${description}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<script src="${SCRIPT_PATH}"></script>
${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdown}">\n`}<link rel="service-desc" type="application/openapi+json" href="/v1/openapi.json">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs"><img src="${ICON_PATH}" alt="" width="22" height="22"><span>Clinic Data API</span></a>
<div class="search"></div>
<a class="menu" href="#navigation">Menu</a>
</header>
${contentsList(contents, above.at(-1)?.path === PLACES.problems.path ? PLACES.problems.path : path)}
<main id="main">
${!isHome && crumbs(title, above)}
${main}
${markdown !== undefined && html`<p class="in-markdown"><a href="${markdown}">This page in Markdown</a>, for an agent.</p>`}
${neighbours(contents, path)}
</main>
</body>
</html>
`.toString()
  return served(body)
}

/** For a browser at an address below `/docs` that has no page. */
export function missingPage(contents: Contents): Served {
  return page({
    path: '',
    title: 'Page not found',
    description: 'There is no page at this address.',
    contents,
    main: html`<h1>Page not found</h1>
<p class="lead">There is no page at this address. Search for what you need, or begin at the <a href="${PLACES.home.path}">overview</a>.</p>`,
  })
}

/** A page's text as it is served. */
export function served(body: string): Served {
  return { body, type: 'text/html; charset=utf-8', etag: etagOf(body) }
}
