// Names that are one in several scripts have one sound, and others do not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldName } from '@clinic-data/contract/folded-name'
import fc from 'fast-check'
import { nameKeys } from '../src/names/name-keys.ts'
import { keySound, soundOf } from '../src/names/name-sounds.ts'

const SAME: Readonly<Record<string, string>> = {
  dbd: 'דוד דויד David Давид دافيد',
  kn: 'כהן Cohen Kohen Коэн كوهين',
  asb: 'יוסף Yosef Joseph يوسف Юсуф',
  sr: 'שרה Sara Sarah سارة Сара',
  km: 'חיים Haim Chaim Хаим حاييم',
  lb: 'לוי Levi Levy Леви ليفي',
  mkmd: 'محمد Mohammed Muhammad Мухаммад מוחמד',
  abnb: 'Иванов Ivanov איבנוב إيفانوف',
  mkl: 'Михаил Mikhail Michael מיכאל ميخائيل',
  akmd: 'أحمد Ahmed Ахмед אחמד',
  rbnbk: 'רבינוביץ׳ Rabinovich Rabinowitz Рабинович',
  alksndr: 'Alexander Александр אלכסנדר الكسندر',
  krnb: 'Chernov Чернов',
  blnsk: 'Walinsky ולינסקי Валинский',
  kb: 'חוה Chava Хава',
  bsr: 'Fischer Fisher פישר Фишер',
  l: 'Lea Leah לאה Лия',
  aml: 'جمال Jamal Джамал',
}

test('a name has one sound in every script', () => {
  for (const [sound, names] of Object.entries(SAME))
    for (const name of names.split(' ')) assert.equal(soundOf(foldName(name)), sound, name)
})

test('a key’s sound begins with its script, and one of two scripts with its own mark', () => {
  assert.equal(keySound('levi noa'), 'Llb n ')
  assert.equal(keySound('לוי נעה'), 'Hlb n ')
  assert.equal(keySound('לוי noa'), 'Mlb n ')
  assert.equal(keySound('леви 2'), 'Clb  ')
  assert.equal(keySound('2 леви'), '')
  assert.equal(keySound('Νίκος'), '')
})

test('the sound of any key is short, and holds nothing of which a search takes another meaning', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 120 })
  fc.assert(
    fc.property(name, name, (first, last) => {
      for (const key of nameKeys(first, last))
        assert.match(keySound(key), /^([ACHLM][abdgklmnrst]+ ([abdgklmnrst]* )?)?$/)
    }),
  )
})
