// The page on what can be installed, and the first request with it.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { OpenApiDocument } from '@clinic-data/contract/projections/openapi-document'
import { firstRequests } from '@clinic-data/contract/samples/first-requests'
import { type ServedPackage, WHEEL_FILE } from '../packages/served-package.ts'
import { type Html, html } from './html.ts'
import { blocks, titled } from './markdown.ts'

/** @param packed the packages that this service serves. */
export function installPage(document: OpenApiDocument, packed: readonly ServedPackage[]): Html {
  const { servers } = document
  return html`<article class="guide">
<h1>Install</h1>
<p class="lead">Nothing has to be installed: any HTTP client can call the API. These make it shorter.</p>
${blocks(environment(servers[0]?.url ?? ''))}
<h2 id="first-request"><a href="#first-request">The first request</a></h2>
${blocks(firstRequest)}
${titled(packagesText(document))}
${packed.map(hashOf)}
</article>`
}

/** Says where every sample finds the address and the key. */
export const environment = (
  baseUrl: string,
) => `Every sample of this reference takes the address and the key from the environment:

\`\`\`sh
export SC_BASE_URL=${baseUrl}
export SC_API_KEY=…            # made in the settings for integrations
\`\`\``

/** Whole programs: who reads this page has no client yet. */
export const firstRequest = firstRequests.join('\n\n')

const packages = readFileSync(new URL('install.md', import.meta.url), 'utf8')

/** Says what there is for each language. */
export function packagesText({ servers }: OpenApiDocument): string {
  return packages.replaceAll('{base_url}', servers[0]?.url ?? '').replaceAll('{wheel}', WHEEL_FILE)
}

/** The same hash behind the address, as pip reads it. */
function fragmentOf(wheel: Buffer): string {
  return `#sha512=${hash('sha512', wheel)}`
}

function hashOf({ file, version, bytes, integrity }: ServedPackage): Html {
  return html`<p><code>${file}</code>, version ${version}, ${bytes.length.toLocaleString('en')} bytes:</p>
<pre tabindex="0"><code>${integrity}${file === WHEEL_FILE ? `\n${fragmentOf(bytes)}` : ''}</code></pre>
`
}
