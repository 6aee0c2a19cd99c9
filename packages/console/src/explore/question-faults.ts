// Where the faults of a question are shown, in words. The service tells places and codes.

import { RefusedError } from '@clinic-data/console-parts/requests/refusal'
import type { Words } from '@clinic-data/console-words/en'
import { type Descriptor, isWhole, type Question, rangeOf } from './question.ts'

export interface QuestionFaults {
  readonly measures?: string | undefined
  readonly dimensions?: string | undefined
  readonly range?: string | undefined
  readonly order?: string | undefined
  readonly limit?: string | undefined
  /** By the place of the condition in the question. */
  readonly conditions: ReadonlyMap<number, string>
}

/** Returns the fault that the page sees by itself. Null: the question can be asked. */
export function unaskable(
  question: Question,
  { requires_date_range }: Descriptor,
  { faults }: Words['explore'],
): QuestionFaults | null {
  const isOpen = question.from === '' || question.to === ''
  const found = {
    ...(question.measures.length === 0 && { measures: faults.noMeasures }),
    ...(requires_date_range && isOpen && { range: faults.range.required }),
  }
  return Object.keys(found).length === 0 ? null : { ...found, conditions: new Map() }
}

export function faultsOf(error: unknown, question: Question, { faults }: Words['explore']): QuestionFaults {
  const placed = error instanceof RefusedError ? error.placedFaults : []
  const at = (name: string) => placed.find(({ place }) => place.split('/')[1] === name)
  const ranges = rangeOf(question, '').length
  // The range stands before the conditions, and those that are being written are not sent.
  const sent = question.where.flatMap((condition, place) => (isWhole(condition) ? [place] : []))
  const conditions = new Map<number, string>()
  let range: string | undefined
  for (const { place, code } of placed) {
    const [, list, index] = place.split('/')
    if (list !== 'filters') continue
    const condition = index === undefined ? undefined : sent[Number(index) - ranges]
    if (condition === undefined) range ??= rangeFault(code, faults.range)
    else conditions.set(condition, faults.conditions)
  }
  return {
    measures: at('measures') && faults.measures,
    dimensions: at('dimensions') && faults.dimensions,
    order: at('order') && faults.order,
    limit: at('limit') && faults.limit,
    range,
    conditions,
  }
}

function rangeFault(code: string, words: Words['explore']['faults']['range']): string {
  return code === 'required' || code === 'reversed' || code === 'too_long' ? words[code] : words.other
}

/** Whether each fault is shown at its place, so that the page as a whole says nothing more. */
export const isPlaced = (error: unknown) =>
  error instanceof RefusedError &&
  error.placedFaults.length > 0 &&
  error.placedFaults.every(({ place }) => /^\/(measures|dimensions|filters|order|limit)/.test(place))
