// Opens pages of the console in both languages and colour schemes, wide and as narrow as a phone, and tells what is wrong with them: faults
// of accessibility, what does not fit, and what the content security policy refused.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ConsoleSite } from './site.ts'

const VIEWS = [
  ['en', 'light', 1280],
  ['en', 'dark', 360],
  ['he', 'light', 360],
  ['he', 'dark', 1280],
] as const

/** Each opens a page at this width, and waits until it is there. */
export type Pages = Readonly<Record<string, (width: number) => Promise<unknown>>>

/** Signs in for each view. Afterwards the choices of language and colours are as at first. */
export async function faultsOfPages(
  { tab, signIn }: Pick<ConsoleSite, 'tab' | 'signIn'>,
  pages: Pages,
): Promise<string[]> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const found: string[] = []
  const features = [{ name: 'prefers-reduced-motion', value: 'reduce' }]
  // A menu that is still fading in has colours of its own.
  await tab.send('Emulation.setEmulatedMedia', { features })
  for (const [language, scheme, width] of VIEWS) {
    await signIn('/console/account')
    await tab.run(`localStorage.setItem('console.language', '${language}');
      localStorage.setItem('mantine-color-scheme-value', '${scheme}')`)
    for (const [page, open] of Object.entries(pages)) {
      await open(width)
      await tab.run(axe)
      const violations = await tab.run<{ id: string; nodes: { html: string }[] }[]>(
        `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
      )
      for (const { id, nodes } of violations)
        found.push(`${page} ${language} ${scheme} ${width}: ${id} ${nodes[0]?.html}`)
      // Not `innerWidth`: on a phone it grows with what does not fit.
      const overflow = (await tab.run<number>('document.documentElement.scrollWidth')) - width
      if (overflow > 0) found.push(`${page} ${language} ${width}: ${overflow} pixels too wide`)
    }
  }
  await tab.send('Emulation.setEmulatedMedia', { features: [] })
  await tab.run('localStorage.clear()')
  return [...found, ...tab.said.filter((one) => /Content Security Policy|exceptionDetails/.test(one))]
}
