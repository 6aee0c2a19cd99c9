// A filter on one of a few fixed words, each written into the text of the statement: the planner then knows whether the
// word is a frequent or a rare one. For a parameter it would plan as if every word were as frequent as any other.
import { type Statement, sql } from '@clinic-data/database'
import { Statement as Text } from '@clinic-data/database/sql'

const WORD = /^[a-z_]+$/

/** @example const isType = choiceFilter('m.type', messageTypes); isType('video') // m.type = 'video' */
export function choiceFilter<Choice extends string>(column: string, choices: readonly Choice[]) {
  if (!choices.every((choice) => WORD.test(choice))) throw new TypeError(`${column} is compared with more than words`)
  const conditions = new Map(choices.map((choice) => [choice, new Text([`${column} = '${choice}'`], [])]))
  return (choice: Choice): Statement => conditions.get(choice) ?? sql`false`
}
