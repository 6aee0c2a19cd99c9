// Search over everything. The index is one file, asked for when the field is first used.

/** @typedef {{ title: string, place: string, href: string, words: string, text: string }} Entry */
/** A word that a typed one may stand for. @typedef {{ word: string, slips: number, often: number }} Meaning */
/** @typedef {{ points: number, slips: number, often: number }} Rank */

const MOST_RESULTS = 12

/** @param {string} text */
const normal = (text) => text.toLowerCase().replaceAll(/[_-]/g, ' ')

/** The texts of an entry as they are compared. A query compares them with many words. @type {WeakMap<Entry, { title: string, words: string, text: string }>} */
const compared = new WeakMap()

/** @param {Entry} entry */
function comparedOf(entry) {
  const { title, words, text } = entry
  const known = compared.get(entry)
  if (known) return known
  const made = { title: ` ${normal(title)}`, words: ` ${normal(words)}`, text: normal(text) }
  compared.set(entry, made)
  return made
}

/**
 * How well an entry answers one word. 0: not at all.
 *
 * @param {Entry} entry
 * @param {string} word
 */
function points(entry, word) {
  const { title, words, text } = comparedOf(entry)
  return (title.includes(` ${word}`) ? 8 : 0) + (words.includes(` ${word}`) ? 4 : 0) + (text.includes(word) ? 1 : 0)
}

/**
 * How well an entry answers all words. 0: not at all.
 *
 * @param {Entry} entry
 * @param {string[]} terms
 */
function score(entry, terms) {
  let sum = 0
  for (const word of terms) {
    const added = points(entry, word)
    if (added === 0) return 0
    sum += added
  }
  return sum + (comparedOf(entry).title === ` ${terms.join(' ')}` ? 8 : 0)
}

/**
 * The words that an entry is found by: all of them, or each where no entry has all.
 *
 * @param {Entry[]} entries
 * @param {string[]} terms
 */
function find(entries, terms) {
  const whole = answering(entries, terms, (entry) => score(entry, terms))
  if (whole.length > 0 || terms.length < 2) return { words: terms.join(' '), found: whole }
  const known = terms.filter((term) => entries.some((entry) => points(entry, term) > 0))
  const sum = (/** @type {Entry} */ entry) => known.reduce((all, word) => all + points(entry, word), 0)
  return { words: known.join(' or '), found: answering(entries, known, sum) }
}

/**
 * @param {Entry[]} entries
 * @param {string[]} terms
 * @param {(entry: Entry) => number} scoreOf
 */
function answering(entries, terms, scoreOf) {
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .filter((found) => found.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_RESULTS)
    .map((found) => ({ ...found.entry, text: around(found.entry.text, terms) }))
}

/**
 * The part of a text around the first of the words.
 *
 * @param {string} text
 * @param {string[]} terms
 */
function around(text, terms) {
  const places = terms.map((word) => normal(text).indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, Math.min(...places, text.length) - 40)
  const from = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + 110)}${text.length > from + 110 ? ' …' : ''}`
}

/** How often each word of the reference stands in it. Short words are near too many others. @type {Map<string, number> | undefined} */
let vocabulary
const SHORTEST = 4
/** The shortest word whose letters are only in the wrong order. */
const SHORTEST_SWAPPED = 3
/** Two words of so many letters may be two slips apart. Of shorter ones they would leave too little. */
const LONG = 7

/** @param {Entry[]} entries */
function wordsOf(entries) {
  if (vocabulary) return vocabulary
  vocabulary = new Map()
  for (const { title, words, text } of entries)
    for (const word of normal(`${title} ${words} ${text}`).split(/[^\p{L}\p{N}]+/u))
      if (word.length >= SHORTEST_SWAPPED) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1)
  return vocabulary
}

/**
 * The words with their slips mended, all together: as the page says them that answers them best. Farther words count where no page
 * has all of the nearest, and where no page has all words at all, each is mended by itself.
 *
 * @param {Entry[]} entries
 * @param {string[]} terms
 */
function mended(entries, terms) {
  const all = terms.map((term) => meanings(entries, term))
  const nearest = all.map((some) => {
    const least = Math.min(...some.map(({ slips }) => slips))
    return some.filter(({ slips }) => slips === least)
  })
  const each = nearest.map((some, at) => some.toSorted((a, b) => b.often - a.often)[0]?.word ?? terms[at] ?? '')
  return bestAnswered(entries, nearest) ?? bestAnswered(entries, all) ?? each
}

/**
 * A word that stands somewhere means itself, and another one what is few slips away.
 *
 * @param {Entry[]} entries
 * @param {string} term
 * @returns {Meaning[]}
 */
function meanings(entries, term) {
  if (entries.some((entry) => points(entry, term) > 0)) return [{ word: term, slips: 0, often: 0 }]
  const least = Math.max(SHORTEST, term.length - 2)
  return [...wordsOf(entries)]
    .filter(([word]) => (term.length < SHORTEST ? isSwapped(term, word) : word.length >= least))
    .map(([word, often]) => ({ word, slips: slipsBetween(term, word), often }))
    .filter(({ word, slips }) => slips <= (Math.min(term.length, word.length) < LONG ? 1 : 2))
}

/** @type {(typed: string, word: string) => boolean} */
const isSwapped = (typed, word) => typed.length === word.length && [...typed].sort().join() === [...word].sort().join()

/** @type {(a: Rank, b: Rank) => number} */
const byRank = (a, b) => b.points - a.points || a.slips - b.slips || b.often - a.often

/**
 * One word of each choice: those that an entry answers best, then the nearest, then the most usual.
 *
 * @param {Entry[]} entries
 * @param {Meaning[][]} choices
 */
function bestAnswered(entries, choices) {
  const answers = entries.map((entry) => {
    const chosen = choices.flatMap((some) =>
      some
        .map((meaning) => ({ ...meaning, points: points(entry, meaning.word) }))
        .toSorted(byRank)
        .slice(0, 1),
    )
    const words = chosen.map(({ word }) => word)
    return {
      words,
      points: chosen.length < choices.length ? 0 : score(entry, words),
      slips: chosen.reduce((sum, { slips }) => sum + slips, 0),
      often: chosen.reduce((sum, { often }) => sum + often, 0),
    }
  })
  const [best] = answers.toSorted(byRank)
  return best && best.points > 0 ? best.words : undefined
}

/**
 * How many letters are too many, missing, wrong or in the wrong order. A word with one slip may not be typed to its end. With two it
 * would be the beginning of too many.
 *
 * @param {string} typed
 * @param {string} meant
 */
function slipsBetween(typed, meant) {
  // Longer ends count alike: they are more than two slips.
  const word = meant.slice(0, typed.length + 3)
  /** @type {number[][]} */
  const rows = [Array.from({ length: word.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= typed.length; i++) {
    const row = [i]
    const [before = [], twoBefore = []] = [rows[i - 1], rows[i - 2]]
    for (let j = 1; j <= word.length; j++) {
      const isSame = typed[i - 1] === word[j - 1]
      const isSwapped = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]
      const [above = 0, left = 0, across = 0] = [before[j], row[j - 1], before[j - 1]]
      const swapped = isSwapped ? (twoBefore[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(above + 1, left + 1, across + (isSame ? 0 : 1), swapped))
    }
    rows.push(row)
  }
  const ends = rows.at(-1) ?? []
  const unfinished = Math.min(...ends.slice(1))
  return unfinished < 2 ? unfinished : (ends.at(-1) ?? unfinished)
}

function searchField() {
  const slot = /** @type {HTMLElement | null} */ (document.querySelector('.search'))
  if (!slot) return
  const input = element('input', {
    type: 'search',
    placeholder: 'Search (press /)',
    'aria-label': 'Search the reference',
    'aria-controls': 'results',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const results = element('ul', { id: 'results', 'aria-label': 'Results', hidden: '' })
  slot.append(element('search', {}, input, results))

  /** @type {Promise<Entry[]> | undefined} */
  let index
  const loaded = () => {
    index ??= fetch('/docs/search.json').then((answer) => answer.json())
    return index
  }
  const show = async () => {
    const query = input.value
    const entries = await loaded().catch(() => [])
    if (query !== input.value) return
    const terms = normal(query).split(/\s+/).filter(Boolean)
    const meant = mended(entries, terms)
    const { words, found } = find(entries, meant)
    const isMended = found.length > 0 && words !== terms.join(' ')
    const said = isMended ? `Results for ${words}` : found.length === 0 ? 'Nothing found.' : ''
    results.replaceChildren(...found.map(resultLine))
    results.hidden = query.trim() === ''
    if (said !== '') results.prepend(element('li', { class: 'none' }, said))
    announcer.textContent = results.hidden ? '' : `${found.length} results${isMended ? ` for ${words}` : ''}`
  }
  const close = () => {
    results.hidden = true
  }
  input.addEventListener('focus', () => void loaded().catch(() => undefined))
  input.addEventListener('input', show)
  results.addEventListener('click', close)
  slot.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !slot.contains(relatedTarget)) close()
  })
  slot.addEventListener('keydown', (event) => walk(event, input, results))
  addEventListener('keydown', (event) => {
    const { target } = event
    const isTyping = target instanceof Element && target.closest('input, textarea, select') !== null
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** @param {Entry} entry */
function resultLine({ title, place, href, text }) {
  return element(
    'li',
    {},
    element('a', { href }, element('b', {}, title), ' ', element('span', {}, place), element('small', {}, text)),
  )
}

/**
 * The arrows walk through the results, Enter opens the first, Escape closes them.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 * @param {HTMLElement} results
 */
function walk(event, input, results) {
  const stops = [input, ...results.querySelectorAll('a')]
  const at = stops.findIndex((stop) => stop.matches(':focus'))
  if (event.key === 'Escape') {
    results.hidden = true
    input.focus()
  } else if (event.key === 'Enter' && document.activeElement === input) stops[1]?.click()
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    stops[Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), stops.length - 1)]?.focus()
  }
}
