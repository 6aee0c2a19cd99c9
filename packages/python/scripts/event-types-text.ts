// Writes the types of events: one class for each resource that events carry, whose `type` determines the type of its `data`.

import { eventResources } from '@clinic-data/contract/event-examples'
import { events } from '@clinic-data/contract/event-types'
import { pythonLiteral } from '@clinic-data/contract/samples/python'
import { docstring, wrapped } from './python-text.ts'

const INDENT = '    '

/** The classes by their names, and the union of all. */
export function eventTypesText(): { names: readonly string[]; text: string } {
  const classes = Object.keys(eventResources).map((resource) => {
    const types = Object.entries(events).filter(([, event]) => event.resource === resource)
    return {
      name: `${resource}Event`,
      about: `An event whose \`data\` is the ${resource} as GET returns it.`,
      type: `Literal[\n${types.map(([type]) => `${INDENT}${INDENT}${pythonLiteral(type)},\n`).join('')}${INDENT}]`,
      typeAbout: types.map(([type, { fires }]) => `\`${type}\`: ${fires}`).join(' '),
      data: resource,
    }
  })
  const names = classes.map(({ name }) => name)
  const envelope = `EventEnvelope = (\n${INDENT}${names.join(' | ')}\n)`
  const about = docstring(
    wrapped(
      'An event of any type. Comparing `event["type"]` narrows the type of `event["data"]`. Types of later versions come too, which this union does not name: end with an `else` that answers 2xx.',
      '',
    ),
    '',
  )
  return {
    names: [...names, 'EventEnvelope'],
    text: [MARK, ...classes.map(classText), [envelope, ...about].join('\n')].join('\n\n\n'),
  }
}

const MARK = `class _TestMark(TypedDict, total=False):
    test: bool
    """True on test events only."""`

interface EventClass {
  readonly name: string
  readonly about: string
  readonly type: string
  readonly typeAbout: string
  readonly data: string
}

function classText({ name, about, type, typeAbout, data }: EventClass): string {
  return [
    `class ${name}(_TestMark):`,
    ...docstring(wrapped(about, INDENT), INDENT),
    '',
    `${INDENT}id: str`,
    ...docstring(wrapped('The same on every attempt: use it to deduplicate.', INDENT), INDENT),
    `${INDENT}type: ${type}`,
    ...docstring(wrapped(typeAbout, INDENT), INDENT),
    `${INDENT}created_at: str`,
    ...docstring(wrapped("ISO 8601 with the clinic's offset.", INDENT), INDENT),
    `${INDENT}data: ${data}`,
  ].join('\n')
}
