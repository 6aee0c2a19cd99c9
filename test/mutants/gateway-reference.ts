// Mutants of the reference: its pages in Markdown, and what a narrow screen shows.
import type { Mutant } from './mutant.ts'

const markdown = 'packages/gateway/src/reference/markdown-pages.ts'
const inMarkdown = 'packages/gateway/test/markdown-pages.test.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a slip in a path is no id',
    file: 'packages/gateway/src/answers/nearest-paths.ts',
    from: 'isOneSlip(sent, word)',
    to: 'sent === word',
    caught: {
      by: 'packages/gateway/test/nearest-paths.test.ts',
      test: 'a slip, a missing part and a part too many lead to the path that is meant',
    },
  },
  {
    breaks: 'an unknown path names the one that is meant',
    file: 'packages/gateway/src/answers/problem-response.ts',
    from: 'near.length === 0 ?',
    to: 'near.length >= 0 ?',
    caught: {
      by: 'test/rules/http.test.ts',
      test: 'an unknown path names the one that is meant, and repeats nothing of the request',
    },
  },
  {
    breaks: 'the dates of the samples are near the reader in Markdown, too',
    file: markdown,
    from: 'now === undefined || DATED.includes(path) ? text : datedNear(text, now)',
    to: 'text',
    caught: {
      by: inMarkdown,
      test: 'the dates of the samples move near the reader, and those of the changelog stay',
    },
  },
  {
    breaks: 'a link of a page in Markdown leads to Markdown',
    file: markdown,
    from: 'known.has(path) ? markdownPath(path) : `${path}${anchor}`',
    to: '`${path}${anchor}`',
    caught: {
      by: inMarkdown,
      test: 'a link leads to a page in Markdown, or to what else is served, by its whole address',
    },
  },
  {
    breaks: 'a text with a bar stays in its cell',
    file: 'packages/gateway/src/reference/operation-markdown.ts',
    from: ".replaceAll('|', '\\\\|')",
    to: '',
    caught: { by: inMarkdown, test: 'no fence stays open, and no text of a cell ends its row' },
  },
  {
    breaks: 'a button to copy leaves the text of a narrow screen free',
    file: 'packages/gateway/src/reference/style-media.css',
    from: 'padding-top: 2.4rem;',
    to: '',
    caught: {
      by: 'test/reference-in-chromium.test.ts',
      test: 'on a narrow screen no button to copy covers the text that it copies',
    },
  },
  {
    breaks: 'a key that is tried is kept only where the reader says so',
    file: 'packages/gateway/browser/try-it.js',
    from: "if (isKept && key !== '')",
    to: "if (key !== '')",
    caught: {
      by: 'test/reference-in-chromium.test.ts',
      test: 'a reading operation runs with a key that is kept nowhere',
    },
  },
  {
    breaks: 'the search mends two letters in the wrong order',
    file: 'packages/gateway/browser/search.js',
    from: 'slips <= (Math.min(term.length, word.length) < LONG ? 1 : 2)',
    to: 'slips === 0',
    caught: {
      by: 'test/reference-in-chromium.test.ts',
      test: 'a word with a slip finds what was meant, and the name of a measure its dataset',
    },
  },
  {
    breaks: 'the search finds what has some of the words where nothing has all',
    file: 'packages/gateway/browser/search.js',
    from: 'if (whole.length > 0 || terms.length < 2)',
    to: 'if (whole.length >= 0)',
    caught: {
      by: 'test/reference-in-chromium.test.ts',
      test: 'a word with a slip finds what was meant, and the name of a measure its dataset',
    },
  },
  {
    breaks: 'the search mends a word to what a page says beside the other words',
    file: 'packages/gateway/browser/search.js',
    from: 'b.points - a.points || a.slips',
    to: 'a.slips',
    caught: {
      by: 'test/reference-in-chromium.test.ts',
      test: 'a word with a slip finds what was meant, and the name of a measure its dataset',
    },
  },
  {
    breaks: 'a link that adds the server to an editor is whole',
    file: 'packages/contract/src/projections/programs.ts',
    from: 'encodeURIComponent(vscodeServer(address))',
    to: 'encodeURIComponent(address)',
    caught: {
      by: 'packages/gateway/test/reference-guides.test.ts',
      test: 'one click adds the server to VS Code and to Cursor, without a key',
    },
  },
]
