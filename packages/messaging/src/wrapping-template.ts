// Decides whether a template can carry free text while the window is closed. It is checked when the setting is saved and again at
// every send, because the template can change in between.
import { hasMedia, type StoredTemplate } from './stored-template.ts'
import { variablesIn } from './template-text.ts'

/** Why a template cannot carry free text. */
export interface Unsuitable {
  code: string
  detail: string
}

/** Returns the variable that carries the text, or why the template is not suitable. */
export function wrappingVariable(template: StoredTemplate): string | Unsuitable {
  const { category, status, header_text, body } = template
  if (category !== 'marketing') return { code: 'not_marketing', detail: 'must be a marketing template' }
  if (status !== 'approved') return { code: 'not_approved', detail: 'must be an approved template' }
  if (hasMedia(template)) return { code: 'media_header', detail: 'must be a template whose header needs no file' }
  const [variable, ...others] = [...variablesIn(header_text ?? ''), ...variablesIn(body)]
  if (variable === undefined || others.length > 0 || !variablesIn(body).includes(variable)) {
    return { code: 'variables', detail: 'must be a template with exactly one variable, in its body' }
  }
  return variable
}
