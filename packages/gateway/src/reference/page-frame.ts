// The frame of every page for people: head, title bar, navigation, and the assets. We serve all of them ourselves.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Html, html } from './html.ts'

/** A page or an asset, with its strong entity tag. */
export interface Served {
  body: string
  type: string
  etag: string
}

/** Allows nothing from outside and no scripts. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const etagOf = (body: string) => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

function asset(type: string, ...files: string[]): Served {
  const body = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')
  return { body, type, etag: etagOf(body) }
}

const style = asset('text/css; charset=utf-8', 'style-base.css', 'style-reference.css', 'style-media.css')
const icon = asset('image/svg+xml', 'icon.svg')

/** The address changes with the style, so it may be cached for ever. */
const STYLE_PATH = `/docs/style-${style.etag.slice(1, 9)}.css`
const ICON_PATH = '/docs/icon.svg'

/** The pages' assets by path. */
export const assets: Readonly<Record<string, Served>> = { [STYLE_PATH]: style, [ICON_PATH]: icon }

export interface Frame {
  title: string
  description: string
  /** The column beside the content. Pages without one are narrow. */
  navigation?: Html
  main: Html
}

export function page({ title, description, navigation, main }: Frame): Served {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STYLE_PATH}">
<link rel="icon" type="image/svg+xml" href="${ICON_PATH}">
<link rel="service-desc" type="application/openapi+json" href="/v1/openapi.json">
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs"><img src="${ICON_PATH}" alt="" width="22" height="22">Clinic Data API</a>
<span class="links"><a href="/v1/openapi.json">OpenAPI</a><a href="/problems">Problems</a></span>
${navigation && html`<a class="menu" href="#navigation">Menu</a>`}
</header>
${navigation}
<main id="main"${navigation ? null : html` class="narrow"`}>
${main}
</main>
</body>
</html>
`.toString()
  return { body, type: 'text/html; charset=utf-8', etag: etagOf(body) }
}
