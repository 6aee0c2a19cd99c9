// Writes Python: wrapped texts, docstrings.

/** Longer lines are no help in an editor's box. */
export const WIDTH = 120

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
