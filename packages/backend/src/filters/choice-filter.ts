// A filter on one of a few fixed words, written into the statement's text, so that the planner knows whether the word is frequent
// or rare. For a parameter it would plan as if all words were equally frequent.
import { type Statement, sql } from '@clinic-data/database'
import { Statement as Text } from '@clinic-data/database/sql'

const WORD = /^[a-z_]+$/

/** @example const isType = choiceFilter('m.type', messageTypes); isType('video') // m.type = 'video' */
export function choiceFilter<Choice extends string>(column: string, choices: readonly Choice[]) {
  if (!choices.every((choice) => WORD.test(choice))) throw new TypeError(`${column} is compared with more than words`)
  const conditions = new Map(choices.map((choice) => [choice, new Text([`${column} = '${choice}'`], [])]))
  return (choice: Choice): Statement => conditions.get(choice) ?? sql`false`
}
