// A block of code in Markdown.

/** @param language with the label of its tab, where the same stands in several languages: `sh curl`. */
export const fenced = (language: string, ...lines: string[]) => [`\`\`\`${language}`, ...lines, '```'].join('\n')
