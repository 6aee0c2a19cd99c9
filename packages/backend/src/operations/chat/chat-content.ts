// The content of a message to be sent: free text, the same wrapped in the clinic's own template, or a filled-in template.
import { type Clinic, MAX, type Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { bodyFault, type Finding, memberPlace, shownName } from '@clinic-data/contract/findings'
import type { deliveryModes } from '@clinic-data/contract/resources/chat'
import type { Transaction } from '@clinic-data/database'
import type { ClinicMessaging } from '@clinic-data/messaging/clinic-messaging'
import type { OutboundChatMessage, TemplateVariable } from '@clinic-data/messaging/messaging-platform'
import { findTemplate, hasMedia, type StoredTemplate, type TemplateName } from '@clinic-data/messaging/stored-template'
import { filledText, onOneLine, variablesIn } from '@clinic-data/messaging/template-text'
import { wrappingVariable } from '@clinic-data/messaging/wrapping-template'

export interface MessageContent {
  delivery_mode: (typeof deliveryModes)[number]
  /** As the message shows it. */
  text: string
  template: string | null
  /** As the platform receives it. */
  platform_content: OutboundChatMessage['content']
}

interface TemplateRequest extends TemplateName {
  variables?: Readonly<Record<string, string>>
}

/** @throws Problem `unprocessable` for a blank text. */
export function freeText(text: string): MessageContent {
  if (text.trim() === '') throw refusal(blank('/text'))
  return { delivery_mode: 'free_text', text, template: null, platform_content: { kind: 'text', text } }
}

/**
 * Wraps the text in the clinic's wrapping template, as its one variable.
 *
 * @throws Problem `unprocessable` when there is no such template, or the text does not fit.
 */
export async function wrappedText(
  tx: Transaction,
  clinic: Clinic,
  { wrapping_template_name: name, wrapping_template_language: language }: ClinicMessaging,
  text: string,
): Promise<MessageContent> {
  const template = name === null || language === null ? null : await findTemplate(tx, clinic, { name, language })
  const variable = template === null ? null : wrappingVariable(template)
  if (template === null || typeof variable !== 'string') {
    const detail = 'cannot be sent: the free-text window is closed and there is no approved template to wrap it in'
    throw refusal({ place: '/text', code: 'no_wrapping_template', detail })
  }
  const value = onOneLine(text)
  if (value === '') throw refusal(blank('/text'))
  if (lengthOf(value) > MAX.template_text) {
    const detail = `must have at most ${MAX.template_text} characters while the free-text window is closed`
    throw refusal({ place: '/text', code: 'too_long', detail })
  }
  const platform_content = contentOf(template, [{ name: variable, value }])
  return { delivery_mode: 'marketing_template', text, template: template.name, platform_content }
}

/** @throws Problem `unprocessable` when it is unknown or not approved, or the given variables are not exactly its own. */
export async function filledTemplate(
  tx: Transaction,
  clinic: Clinic,
  request: TemplateRequest,
): Promise<MessageContent> {
  const template = await findTemplate(tx, clinic, request)
  if (template === null) {
    throw refusal({ place: '/template/name', code: 'unknown_template', detail: 'is no template in this language' })
  }
  if (template.status !== 'approved') {
    throw refusal({ place: '/template/name', code: 'not_approved', detail: 'is a template that is not approved' })
  }
  if (hasMedia(template)) {
    throw refusal({ place: '/template/name', code: 'media_header', detail: 'is a template whose header needs a file' })
  }
  const variables = givenVariables(variablesOf(template), request.variables ?? {})
  const text = filledText(template.body, variables)
  if (lengthOf(text) > MAX.message) {
    const detail = `must leave the text at most ${MAX.message} characters`
    throw refusal({ place: '/template/variables', code: 'too_long', detail })
  }
  const platform_content = contentOf(template, variables)
  return { delivery_mode: 'template', text, template: template.name, platform_content }
}

/** The given variables must be exactly the template's. */
function givenVariables(names: readonly string[], variables: Readonly<Record<string, string>>): TemplateVariable[] {
  const values = new Map(Object.entries(variables).map(([name, value]) => [name, onOneLine(value)]))
  const place = (name: string) => memberPlace('/template/variables', name)
  const findings: Finding[] = [
    ...names
      .filter((name) => !values.has(name))
      .map((name) => ({ place: place(name), code: 'required', detail: 'is required' })),
    ...names.filter((name) => values.get(name) === '').map((name) => blank(place(name))),
    ...[...values.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => ({ place: place(shownName(name)), code: 'unknown', detail: 'is no variable of this template' })),
  ]
  if (findings.length > 0) throw refusal(...findings)
  return names.map((name) => ({ name, value: values.get(name) ?? '' }))
}

/** The variables of header and body. One name is one variable. */
function variablesOf({ header_text, body }: StoredTemplate): string[] {
  return variablesIn(`${header_text ?? ''}${body}`)
}

function contentOf(
  { name, language, category, header_text, body }: StoredTemplate,
  variables: readonly TemplateVariable[],
): OutboundChatMessage['content'] {
  const values = new Map(variables.map(({ name, value }) => [name, value]))
  const valuesIn = (text: string) => variablesIn(text).map((name) => ({ name, value: values.get(name) ?? '' }))
  const [header_variables, body_variables] = [valuesIn(header_text ?? ''), valuesIn(body)]
  return { kind: 'template', name, language, category, header_variables, body_variables }
}

/** Counted like the database counts. */
function lengthOf(text: string): number {
  return [...text].length
}

function blank(place: string): Finding {
  return { place, code: 'blank', detail: 'must not be blank' }
}

/** A rule refuses the request. @returns Problem 422 */
export function refusal(...findings: readonly Finding[]): Problem {
  return faultProblem('unprocessable', findings.map(bodyFault))
}
