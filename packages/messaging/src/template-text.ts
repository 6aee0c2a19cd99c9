// The words of a template: `{{name}}` or `{{1}}` stands for a variable.
import type { TemplateVariable } from './messaging-platform.ts'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** The variables of a text, each once, in the order of their first appearance. */
export function variablesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))]
}

/** Fills in the variables of a text. A placeholder without a value stays as it is. */
export function filledText(text: string, variables: readonly TemplateVariable[]): string {
  const values = new Map(variables.map(({ name, value }) => [name, value]))
  return text.replaceAll(PLACEHOLDER, (written, name: string) => values.get(name.trim()) ?? written)
}

/** Puts a variable's value on one line and collapses white space, as platforms require. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
