// A list's or an object's parts between its brackets, in the source of a program.

/** Longer values are written on several lines. */
export const MAX_LINE = 80

/** @returns one line if it is short. */
export function bracketed(
  [open = '', close = '']: string,
  space: string,
  parts: (indent: string) => string[],
  indent: string,
  step: string,
): string {
  const line = `${open}${space}${parts(indent).join(', ')}${space}${close}`
  if (line.length <= MAX_LINE && !line.includes('\n')) return line
  const inner = `${indent}${step}`
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`
}
