// How the console's page is built: everything from our own address, and no script inside the page's HTML, for the strict policy.
import { defineConfig, type Plugin } from 'vite'

/** In the head, a style sheet holds back the first paint until it has come. Behind what
 * is shown at once it holds back the console alone. It stays before the console's own element, in which the theme's styles stand. */
const stylesAfterFirstPaint: Plugin = {
  name: 'styles-after-first-paint',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const links = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? []
      const others = links.reduce((rest, link) => rest.replace(link, ''), html)
      return others.replace('    <div id="root">', `${links.join('')}    <div id="root">`)
    },
  },
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [stylesAfterFirstPaint],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      output: {
        // A file for each of what several pages share would compress worse than one for all.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // All that comes before anybody has signed in, whichever pages share it. The entry stays one: it waits for the words.
            { name: 'first', tags: ['$initial'], test: /^(?!.*\/(?:main\.tsx|index\.html)$)/ },
            { name: 'boxes', test: /@mantine\/core\/.*\/(?:Badge|Card|Checkbox|Radio|InlineInput|CheckIcon)\// },
          ],
        },
      },
    },
  },
})
