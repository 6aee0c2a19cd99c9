// Builds the body of a send request in WhatsApp's wire format.

import type { OutboundChatMessage, TemplateContent, TemplateVariable } from './messaging-platform.ts'

export function messageBody({ message_id, to_phone, content }: OutboundChatMessage) {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: to_phone,
    ...(content.kind === 'text'
      ? { type: 'text', text: { preview_url: false, body: content.text } }
      : { type: 'template', template: templateOf(content) }),
    biz_opaque_callback_data: message_id,
  }
}

function templateOf({ name, language, category, header_variables, body_variables }: TemplateContent) {
  const isCode = category === 'authentication'
  const components = [
    ...componentOf('header', header_variables, isCode),
    ...componentOf('body', body_variables, isCode),
    ...(isCode ? codeButton(body_variables) : []),
  ]
  return { name, language: { code: language }, ...(components.length > 0 && { components }) }
}

function componentOf(type: 'header' | 'body', variables: readonly TemplateVariable[], isCode: boolean) {
  return variables.length === 0 ? [] : [{ type, parameters: parametersOf(variables, isCode) }]
}

/**
 * A template's variables are either all named or all positional. Authentication templates are always positional: the platform
 * writes them itself, with `{{1}}`.
 */
function parametersOf(variables: readonly TemplateVariable[], isCode: boolean) {
  const isPositional = isCode || variables.every(({ name }) => /^\d+$/.test(name))
  const inOrder = isPositional && !isCode ? variables.toSorted((a, b) => Number(a.name) - Number(b.name)) : variables
  return inOrder.map(({ name, value }) => ({
    type: 'text',
    ...(isPositional ? {} : { parameter_name: name }),
    text: value,
  }))
}

/** Every authentication template has one button that copies or fills in the code. The button needs the code once more. */
function codeButton([code]: readonly TemplateVariable[]) {
  return code === undefined
    ? []
    : [{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: code.value }] }]
}
