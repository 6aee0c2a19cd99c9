// Searches: a phone, an email or a name is found however it is written.
import type { Operation } from '@clinic-data/contract'
import { localPhone, normalPhone } from '@clinic-data/contract/phone'
import type { Question } from '../clinic-under-test.ts'
import { asking } from '../list-filters.ts'
import { idOf, type Row, rowInWords, textAt } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'
import { spread } from '../subjects.ts'
import { filterables, withQuery } from './filter-rules.ts'

/** How many rows of a list are searched for. */
const SOUGHT = 3

/** Asks in each form of writing. Each form must find the row, and all must find the same rows. */
async function soughtInAllForms(
  trial: Trial,
  parameter: string,
  formsOf: (row: Row) => readonly [words: string, text: string][],
) {
  for await (const { operation, subject, names, whole } of filterables(trial)) {
    if (!names.includes(parameter)) continue
    const rows = spread(
      whole.rows.filter((row) => formsOf(row).length > 0),
      SOUGHT,
    )
    if (rows.length === 0) trial.untried.add(`${operation.id}: no row has a value for ${parameter}`)
    for (const row of rows) await soughtAlike(trial, operation, subject, parameter, row, formsOf(row))
  }
}

async function soughtAlike(
  trial: Trial,
  operation: Operation,
  subject: Question,
  parameter: string,
  row: Row,
  forms: readonly [words: string, text: string][],
): Promise<void> {
  let expected: string | null = null
  for (const [words, text] of forms) {
    const question = withQuery(subject, { [parameter]: text })
    const { rows, isWhole } = await trial.clinic.beginning(operation, question)
    const ids = rows.map(idOf)
    const isFound = ids.includes(idOf(row)) || !isWhole
    const all = ids.toSorted().join('\n')
    expected ??= all
    trial
      .saw(
        operation,
        `${inWords(question)}, ${words}`,
        isFound ? `${rows.length} rows, not the same` : `${rows.length} other rows`,
      )
      .expect(`${rowInWords(row)}, and the same rows however it is written`, isFound && (all === expected || !isWhole))
  }
}

const phones: Rule = {
  name: 'searches.phone-forms',
  protects: 'A caller is recognised however the telephone system writes the number.',
  needs: ['clinic'],
  async check(trial) {
    const { clinic } = trial.clinic
    await soughtInAllForms(trial, 'phone', (row) => {
      const normal = String(
        asking('phone', row, clinic) ?? normalPhone(textAt(row, 'phone') ?? '', clinic.country) ?? '',
      )
      if (normal === '') return []
      const local = localPhone(normal, clinic.country)
      const forms: [string, string][] = [
        ['in international form', normal],
        ['in international form without +', normal.slice(1)],
        ['in local form', local],
        ['in local form with dashes and spaces', `${local.slice(0, 3)}-${local.slice(3, 6)} ${local.slice(6)}`],
        ['in international form with spaces', `${normal.slice(0, 4)} ${normal.slice(4, 6)} ${normal.slice(6)}`],
      ]
      return forms.filter(([, text]) => normalPhone(text, clinic.country) === normal)
    })
  },
}

const emails: Rule = {
  name: 'searches.email-case',
  protects: 'A patient is found by an email in upper or lower case.',
  needs: ['clinic'],
  async check(trial) {
    await soughtInAllForms(trial, 'email', (row) => {
      const email = String(asking('email', row, trial.clinic.clinic) ?? textAt(row, 'email') ?? '')
      if (email === '') return []
      return [
        ['in lower case', email.toLowerCase()],
        ['in upper case', email.toUpperCase()],
      ]
    })
  },
}

const names: Rule = {
  name: 'searches.names',
  protects: 'A patient is found by the beginnings of the name’s parts, in any order and case.',
  needs: ['clinic'],
  async check(trial) {
    await soughtInAllForms(trial, 'query', (row) => {
      const words = String(asking('query', row, trial.clinic.clinic) ?? '')
      if (words === '') return []
      return [
        ['the beginnings of its parts', words],
        ['in upper case', words.toUpperCase()],
        ['in the other order', words.split(' ').reverse().join(' ')],
        ['with more spaces', words.replaceAll(' ', '   ')],
      ]
    })
  },
}

export const searchRules: readonly Rule[] = [phones, emails, names]
