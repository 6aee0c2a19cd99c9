// Opens pages of the console in both languages and colour schemes, wide and as narrow as a phone, and tells what is wrong with them: faults
// of accessibility, what does not fit, and what the content security policy refused.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Tab } from '@clinic-data/testing/run/chromium'
import type { ConsoleSite } from './site.ts'
import { UserActions } from './user-actions.ts'

interface View {
  readonly language: 'en' | 'he'
  readonly scheme: 'light' | 'dark'
  readonly width: number
}

const WIDTHS = [1280, 360]

const NARROW: View = { language: 'he', scheme: 'dark', width: 360 }
const WIDE: View = { language: 'en', scheme: 'light', width: 1280 }

interface Views {
  readonly views: readonly View[]
  /** Whether each page is looked at in each view, and not one page in each. */
  readonly isEach: boolean
}

/**
 * How pages are looked at, in sizes for `sized`: every day the first page of a file in the first view, and the second one in the second.
 * The long size has every page in four views, in which each language, scheme and width meets each of the others. Each must fit both widths.
 */
export const VIEWS: Readonly<Record<'everyday' | 'long', Views>> = {
  everyday: { views: [NARROW, WIDE], isEach: false },
  long: {
    views: [
      NARROW,
      { ...NARROW, language: 'en', scheme: 'light' },
      { ...WIDE, scheme: 'dark' },
      { ...WIDE, language: 'he' },
    ],
    isEach: true,
  },
}

/** Each opens a page at this width, by `go` or by loading it, and waits until it is there. */
export type Pages = Readonly<Record<string, (width: number) => Promise<unknown>>>

/** Signs in where nobody is. Afterwards the choices of language and colours are as at first. */
export async function faultsOfPages(
  { tab, signIn }: Pick<ConsoleSite, 'tab' | 'signIn'>,
  { views, isEach }: Views,
  pages: Pages,
): Promise<string[]> {
  const found: string[] = []
  const features = [{ name: 'prefers-reduced-motion', value: 'reduce' }]
  // A menu that is still fading in has colours of its own.
  await tab.send('Emulation.setEmulatedMedia', { features })
  for (const [place, view] of views.entries()) {
    const seen = Object.entries(pages).filter((_, at) => isEach || at === place)
    if (seen.length === 0) continue
    if (!(await tab.run<boolean>(`document.querySelector('nav a') !== null`))) await signIn('/console/nothing')
    await turn(tab, view)
    for (const [page, open] of seen) {
      await open(view.width)
      found.push(...(await faultsIn(tab, view)).map((fault) => `${page} ${fault}`))
    }
  }
  await turn(tab, { language: 'en', scheme: 'auto' })
  await tab.run('localStorage.clear()')
  await tab.send('Emulation.setEmulatedMedia', { features: [] })
  return [...found, ...tab.said.filter((one) => /Content Security Policy|exceptionDetails/.test(one))]
}

/** Chooses language and colours as a reader does, by the lists of each page, which loads nothing anew. */
async function turn(tab: Tab, { language, scheme }: { language: string; scheme: string }): Promise<void> {
  const user = new UserActions(tab)
  for (const value of [language, scheme])
    await user.choose(`document.querySelector('select:has([value=${value}])')`, value)
  // The words of a language are loaded when it is chosen.
  await tab.until(`document.documentElement.dir === '${language === 'he' ? 'rtl' : 'ltr'}'`)
}

/** Returns what is wrong with the page that is shown. */
async function faultsIn(tab: Tab, { language, scheme, width }: View): Promise<string[]> {
  const view = `${language} ${scheme} ${width}`
  const found: string[] = []
  const shown = await tab.run<string>(
    `document.documentElement.lang + ' ' + document.documentElement.dataset.mantineColorScheme`,
  )
  if (shown !== `${language} ${scheme}`) found.push(`${view}: it is ${shown}`)
  for (const { id, nodes } of await axeFaults(tab)) found.push(`${view}: ${id} ${nodes[0]?.html}`)
  // A page that fits one screen may not fit the other.
  for (const screen of [width, ...WIDTHS.filter((one) => one !== width)]) {
    const overflow = await tab.overflow(screen)
    if (overflow > 0) found.push(`${view}: ${overflow} pixels too wide for ${screen}`)
  }
  return found
}

interface Fault {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** The faults of accessibility that axe finds in the page. */
export async function axeFaults(tab: Tab): Promise<Fault[]> {
  if (!(await tab.run<boolean>('Boolean(window.axe)')))
    await tab.run(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  return tab.run(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`)
}
