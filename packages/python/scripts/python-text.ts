// Writes Python: literals, wrapped texts, docstrings.

/** Longer lines are no help in an editor's box. */
export const WIDTH = 120
/** The words that no argument may be called. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** The name of an argument. A keyword of the language gets an underscore at its end, as is usual. */
export function argument(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new Error(`no name of an argument: ${name}`)
  return KEYWORDS.has(name) ? `${name}_` : name
}

/** A value in Python's syntax: JSON with other words for null, true and false. */
export function literal(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  return `{${Object.entries(value)
    .map(([name, part]) => `${JSON.stringify(name)}: ${literal(part)}`)
    .join(', ')}}`
}

/** Lines of at most the usual width. Those after the first stand deeper where `hanging` says so. */
export function wrapped(text: string, indent: string, hanging = ''): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const margin = lines.length === 0 ? indent : indent + hanging
    if (line !== '' && margin.length + line.length + 1 + word.length > WIDTH) {
      lines.push(margin + line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, (lines.length === 0 ? indent : indent + hanging) + line]
}

/** A docstring of these lines, which are indented already. */
export function docstring(lines: readonly string[], indent: string): string[] {
  const [first = '', ...others] = lines.map((line) => line.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'))
  const opened = `${indent}"""${first.trimStart()}`
  const closed = others.length === 0 && opened.length + 3 <= WIDTH && !opened.endsWith('"')
  return closed ? [`${opened}"""`] : [opened, ...others, `${indent}"""`]
}

/** With a mark at its end. */
export function sentence(text: string): string {
  return /[.:!?]$/.test(text) ? text : `${text}.`
}
