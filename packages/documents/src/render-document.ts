// Renders the accounting document as a PDF.
import type { AccountingDocument } from './accounting-document.ts'

/**
 * Prints one A4 page with embedded fonts. The same document gives the same bytes, at any time and on any machine. Texts of any
 * content and length fit: unprintable characters are replaced, long texts wrap, and if need be everything is printed smaller.
 *
 * @throws RangeError when `version` is unknown or a time is not ISO 8601.
 * @example const pdf = await renderDocument(JSON.parse(stored))
 */
export function renderDocument(document: AccountingDocument): Promise<Uint8Array> {
  const content = JSON.stringify(document)
  const rendered = underWay.get(content) ?? render(document).finally(() => underWay.delete(content))
  underWay.set(content, rendered)
  return rendered
}

/** A page takes the processor for tenths of a second, so requests for one page at the same time share it. */
const underWay = new Map<string, Promise<Uint8Array>>()

async function render(document: AccountingDocument): Promise<Uint8Array> {
  if (document.version !== 1 && document.version !== 2)
    throw new RangeError('A document of an unknown version cannot be printed')
  // Loaded with the first document, because the printing code takes 80 ms to load and the server need not wait for it at its start.
  const { renderVersion1 } = await import('./version-1.ts')
  return renderVersion1(document)
}
