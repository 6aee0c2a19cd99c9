// The pages at `/problems`, to which the `type` of every problem points.
import { type ProblemSlug, problems } from '@clinic-data/contract'
import { exampleProblem } from '@clinic-data/contract/projections/openapi-problems'
import { type Contents, PLACES } from './contents.ts'
import { type Html, html } from './html.ts'
import { firstSentence, inline } from './markdown.ts'
import { page, type Served } from './page-frame.ts'
import { prettyJson } from './pretty-json.ts'
import { code } from './samples.ts'

const slugs = Object.keys(problems) as ProblemSlug[]

/** When a client may repeat the request (specification, Errors: retry policy). */
const RETRY: Readonly<Record<number, string>> = {
  408: 'Yes: send the request again.',
  409: 'Where it has `retry_after`, yes, after so many seconds. Otherwise no: the same request will be refused again.',
  429: 'Yes, after the seconds in `Retry-After`.',
  500: 'Yes, with exponential backoff and jitter.',
  502: 'Yes, with exponential backoff and jitter.',
  503: 'Yes, after the seconds in `Retry-After`, then with exponential backoff and jitter.',
}
const NO_RETRY = 'No: the same request will be refused again.'

/** `/problems`: every problem, by status. */
export function problemIndexPage(contents: Contents): Served {
  const sorted = slugs.toSorted((a, b) => problems[a][0] - problems[b][0])
  return page({
    ...PLACES.problems,
    contents,
    description: 'Every error that the Clinic Data API answers, what it means and what to do.',
    main: html`<h1>Problems</h1>
<p class="lead">Every answer other than 2xx and 304 is one of these, as <code>application/problem+json</code> (RFC 9457).</p>
<p>Branch on <code>status</code> or <code>code</code>, never on <code>title</code> or <code>detail</code>. Give support the <code>request_id</code>.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Problem</th><th scope="col">What it means</th></tr></thead>
<tbody>${sorted.map(problemRow)}</tbody>
</table>`,
  })
}

function problemRow(slug: ProblemSlug): Html {
  const [status, title, help] = problems[slug]
  return html`<tr id="${slug}"><td>${status}</td><td><a href="/problems/${slug}">${title}</a></td><td>${inline(help)}</td></tr>`
}

/** `/problems/<slug>`, or null when there is no such problem. */
export function problemPage(slug: string, baseUrl: string, contents: Contents): Served | null {
  const known = slugs.find((one) => one === slug)
  if (!known) return null
  const [status, title, help] = problems[known]
  const example = exampleProblem(baseUrl, known)
  return page({
    path: `/problems/${slug}`,
    title,
    description: firstSentence(help),
    above: [PLACES.problems],
    contents,
    main: html`<h1>${title}</h1>
<p class="lead">${inline(help)}</p>
<dl class="facts">
<dt>Status</dt><dd>${status}</dd>
<dt>code</dt><dd><code>${known}</code></dd>
<dt>type</dt><dd><code>${String(example.type)}</code></dd>
<dt>Retry</dt><dd>${inline(RETRY[status] ?? NO_RETRY)}</dd>
</dl>
<h2>Example</h2>
${code(`HTTP ${status}, application/problem+json`, prettyJson(example))}
<p>How errors work, and which to retry: <a href="/docs/errors">Errors</a> in the reference.</p>`,
  })
}
