// Writes a name as its rough consonants, so that a name in one script is found in another one (docs/decisions/0136).

/** The scripts whose letters have a sound, and their marks. */
export const SCRIPTS = ['A', 'C', 'H', 'L'] as const
export type Script = (typeof SCRIPTS)[number]

/** The mark of a key of which the parts are in two scripts. */
export const MIXED = 'M'

interface Spelling {
  readonly letters: RegExp
  /** Replaced in this order before the letters are: groups of letters, and letters that sound otherwise at a beginning or an end. */
  readonly groups: readonly [RegExp, string][]
}

const SPELLINGS: Readonly<Record<Script, Spelling>> = {
  A: {
    letters: /^[\u0621-\u06d3]/u,
    groups: [
      [/^و/u, 'ب'],
      [/[هة]$/u, ''],
    ],
  },
  C: {
    letters: /^[\u0430-\u052f]/u,
    groups: [[/дж/gu, 'й']],
  },
  H: {
    letters: /^[א-ת]/u,
    groups: [
      // The spelling leaves out that this vav is a consonant.
      [/^דוד$/u, 'דבד'],
      [/(?:ב|וו)יץ$/u, 'בק'],
      // Vav is a consonant at the beginning, doubled, before a yod and before a last he; else it is a vowel.
      [/^ו|וו|ו(?=י|ה$)/gu, 'ב'],
      [/ה$/u, ''],
    ],
  },
  L: {
    letters: /^[a-zþ]/u,
    groups: [
      [/[vw]i(?:ch|tch|t[sz]|cz|c)$/u, 'bk'],
      [/shch|sch|[sz]h|t[sz]|c(?=[eiy])/gu, 's'],
      [/[ck]h/gu, 'k'],
      [/ph/gu, 'f'],
      [/gh/gu, 'g'],
      [/th/gu, 't'],
      [/dh/gu, 'd'],
      [/x/gu, 'ks'],
      [/(?!^)w|h$/gu, ''],
    ],
  },
}

/** The letters of each sound. `a` is any vowel, and what is written in place of one: y, j, yod, jim. */
const LETTERS: Readonly<Record<string, string>> = {
  a: 'aeiouyj' + 'אעוי' + 'ءاأإآعويىجی' + 'аеиоуыэюяіїєйё',
  b: 'bfpvw' + 'בפף' + 'بفپ' + 'бвпф',
  d: 'd' + 'ד' + 'دذض' + 'д',
  g: 'g' + 'ג' + 'غگ' + 'гґ',
  k: 'chkq' + 'החכךק' + 'حخقكهک' + 'кхч',
  l: 'l' + 'ל' + 'ل' + 'л',
  m: 'm' + 'מם' + 'م' + 'м',
  n: 'n' + 'נן' + 'ن' + 'н',
  r: 'r' + 'ר' + 'ر' + 'р',
  s: 'sz' + 'זסצץש' + 'زسشصظچژ' + 'жзсцшщ',
  t: 'tþ' + 'טת' + 'تثط' + 'т',
}
const SOUND_OF = new Map(
  Object.entries(LETTERS).flatMap(([sound, letters]) => [...letters].map((letter) => [letter, sound])),
)

/** The script of a folded word, by its first letter. Null for one that has no sounds. */
export function scriptOf(word: string): Script | null {
  return SCRIPTS.find((script) => SPELLINGS[script].letters.test(word)) ?? null
}

/**
 * The consonants of a folded word, with `a` in front when it begins with a vowel. Of neighbours that sound alike one stands. Empty
 * when no letter has a sound.
 *
 * @example soundOf('cohen') // 'kn', as of כהן
 */
export function soundOf(word: string): string {
  const script = scriptOf(word)
  if (script === null) return ''
  const spelt = SPELLINGS[script].groups.reduce((text, [group, letters]) => text.replace(group, letters), word)
  return Array.from(spelt, (letter) => SOUND_OF.get(letter) ?? '')
    .join('')
    .replace(/(?!^)a/gu, '')
    .replace(/(.)\1+/gu, '$1')
}

/**
 * The sound of a name's key (`patient_name.sound`): the mark of its script, then each part's sound and a space. Empty when the first
 * part has none.
 *
 * @example keySound('levi noa') // 'Llb n '
 */
export function keySound(key: string): string {
  const parts = key.split(' ')
  const sounds = parts.map(soundOf)
  if (sounds[0] === '') return ''
  return markOf(parts) + sounds.map((sound) => `${sound} `).join('')
}

/** Words without a script, as numbers, are of any. */
export function markOf(words: readonly string[]): Script | typeof MIXED {
  const [script, ...others] = new Set(words.map(scriptOf).filter((each) => each !== null))
  return script === undefined || others.length > 0 ? MIXED : script
}
