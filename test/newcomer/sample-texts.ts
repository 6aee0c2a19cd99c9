// Finds the samples that a reader meets: in the pages of the reference, in Markdown, and in the help of `sc`.

/** A text that a reader pastes. */
export interface Sample {
  /** Where it is, for people: `/docs/patients#patients-list`. */
  readonly place: string
  /** The sample's label in the reference (`curl`, `client` …); the word behind the fence in Markdown. */
  readonly language: string
  readonly source: string
}

/** A sample of an operation, with the answer that stands beside it. */
export interface OperationSample extends Sample {
  readonly operation: string
  readonly status: number
  /** Null for an answer without a body. */
  readonly answer: { data: unknown } | null
}

export function linkedPages(body: string): string[] {
  const links = [...body.matchAll(/href="(\/docs[^"#]*)/g)].map(([, path = '']) => path)
  return [...new Set(links)].filter((path) => !/-[\w-]{8}\.\w+$/.test(path))
}

export function operationSamples(path: string, body: string): OperationSample[] {
  return sectionsOf(body).flatMap((section) => {
    const [, operation = ''] = /^ id="([^"]+)"/.exec(section) ?? []
    const shown = /<figcaption>(\d{3}) answer<\/figcaption><pre[^>]*><code>(.*?)<\/code>/s.exec(section)
    const [, other = ''] = /<b class="status">(\d{3})<\/b>/.exec(section) ?? []
    const detailed = /<figcaption>(\d{3}) answer/.test(section)
    if (!shown && detailed) throw new Error(`${path}#${operation}: an answer without a body`)
    const answer = shown ? (JSON.parse(textOf(shown[2] ?? '')) as { data: unknown }) : null
    const status = Number(shown?.[1] ?? other)
    return figuresOf(section).map(({ language, source }) => ({
      place: `${path}#${operation}`,
      operation,
      language,
      source,
      status,
      answer,
    }))
  })
}

/** The samples outside of operations: those of guides. */
export function guideSamples(path: string, body: string): Sample[] {
  const outside = sectionsOf(body).reduce((rest, section) => rest.replace(section, ''), body)
  const fenced = [...outside.matchAll(/<pre tabindex="0"><code class="language-(\w+)">(.*?)<\/code>/gs)]
  return [
    ...figuresOf(outside).map((figure) => ({ place: path, ...figure })),
    ...fenced.map(([, language = '', code = '']) => ({ place: path, language, source: textOf(code) })),
  ]
}

function sectionsOf(body: string): string[] {
  return body
    .split('<section class="operation"')
    .slice(1)
    .map((part) => part.slice(0, part.indexOf('</section>')))
}

function figuresOf(part: string): { language: string; source: string }[] {
  const figures = part.matchAll(/<figure class="code shell" data-language="(\w+)">.*?<code>(.*?)<\/code>/gs)
  return [...figures].map(([, language = '', code = '']) => ({ language, source: textOf(code) }))
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}

export function fencedSamples(place: string, markdown: string): Sample[] {
  return [...markdown.matchAll(/^( *)```(\w*)[^\n]*\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', code = '']) => ({
      place,
      language,
      source: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd(),
    }),
  )
}

/** The lines below `Examples:` in a help text. */
export function helpSamples(place: string, help: string): Sample[] {
  const [, examples = ''] = help.split('\nExamples:\n')
  return examples
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => ({ place, language: 'sc', source: line.trim() }))
}

/** The commands of a shell script: lines, joined where one goes on. */
export function commandsOf(script: string): string[] {
  const commands: string[] = []
  for (const line of script.split('\n')) {
    const before = commands.at(-1)
    if (before !== undefined && /(\\|\||\{)$|='?[^']*\{$/.test(before))
      commands[commands.length - 1] = `${before}\n${line}`
    else commands.push(line)
  }
  return commands.filter((command) => command.trim() !== '' && !command.startsWith('#'))
}

/**
 * How an answer differs in form from the documented one: a missing or new field, another type, or no rows where some are shown.
 * Null may stand for anything, and the fields of free objects are the sender's own.
 */
export function formFaults(shown: unknown, actual: unknown, place = ''): string[] {
  if (shown === null || actual === null || shown === undefined) return []
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [`${place} is not a list`]
    if (actual.length === 0) return shown.length > 0 && place === '/data' ? [`${place} has no rows`] : []
    return shown.length === 0 ? [] : formFaults(shown[0], actual[0], `${place}/0`)
  }
  if (typeof shown !== 'object') return typeof shown === typeof actual ? [] : [`${place} is a ${typeof actual}`]
  if (typeof actual !== 'object') return [`${place} is a ${typeof actual}`]
  if (/\/(attribution|totals|rows\/0)$/.test(place)) return []
  const [wanted, found] = [Object.keys(shown), Object.keys(actual)]
  return [
    ...wanted.filter((name) => !found.includes(name)).map((name) => `${place}/${name} is missing`),
    // Deeper inside, a field that says nothing may be left out.
    ...found
      .filter((name) => !wanted.includes(name) && /^(\/data(\/0)?)?$/.test(place))
      .map((name) => `${place}/${name} is not shown`),
    ...wanted.flatMap((name) => formFaults(Reflect.get(shown, name), Reflect.get(actual, name), `${place}/${name}`)),
  ]
}
