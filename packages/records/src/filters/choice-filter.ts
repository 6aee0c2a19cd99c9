// Filters by one of a few fixed words. The word is part of the statement's text, so that the planner knows whether it is frequent or
// rare. With a parameter the planner would assume that all words are equally frequent.
import { type Statement, sql } from '@clinic-data/database'
import { Statement as Text } from '@clinic-data/database/sql'

const WORD = /^[a-z_]+$/

/** @example const isType = choiceFilter('m.type', messageTypes); isType('video') // m.type = 'video' */
export function choiceFilter<Choice extends string>(column: string, choices: readonly Choice[]) {
  if (!choices.every((choice) => WORD.test(choice))) throw new TypeError(`${column} is compared with more than words`)
  const conditions = new Map(choices.map((choice) => [choice, new Text([`${column} = '${choice}'`], [])]))
  return (choice: Choice): Statement => conditions.get(choice) ?? sql`false`
}
