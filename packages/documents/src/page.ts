// Draws one A4 page of a PDF: text in boxes, and rules. Its sides are called start and end. In Hebrew the start is on the right.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { create, type Font } from 'fontkit'
import PDFDocument from 'pdfkit'
import { type Direction, type Line, linesOf } from './bidi-lines.ts'
import { legible } from './legible.ts'

export interface Style {
  size: number
  /** The distance from one line to the next. */
  leading: number
  weight: keyof typeof FONT_FILES
  color: string
}

/** Distances are in points, from the start side and from the top. */
export interface Box {
  start: number
  top: number
  width: number
  align?: 'start' | 'end'
}

export interface PageOptions {
  language: 'he' | 'en'
  title: string
  author: string
  created: Date
  /** Below 1, everything is smaller and the page has more room. */
  scale: number
}

const A4 = { width: 595.28, height: 841.89 }
const RULE = 0.75

const FONT_FILES = {
  regular: '@expo-google-fonts/rubik/400Regular/Rubik_400Regular.ttf',
  bold: '@expo-google-fonts/rubik/600SemiBold/Rubik_600SemiBold.ttf',
}

const fontBytes = {
  regular: await readFile(fileURLToPath(import.meta.resolve(FONT_FILES.regular))),
  bold: await readFile(fileURLToPath(import.meta.resolve(FONT_FILES.bold))),
}

export class Page {
  readonly width: number
  readonly height: number
  readonly #direction: Direction
  readonly #pdf: PDFKit.PDFDocument
  readonly #body: PDFKit.PDFStructureElement
  // Opened for this page only, because a font remembers the order in which characters were requested, which changes the file.
  readonly #fonts = { regular: openFont('regular'), bold: openFont('bold') }

  constructor({ language, title, author, created, scale }: PageOptions) {
    this.width = A4.width / scale
    this.height = A4.height / scale
    this.#direction = language === 'he' ? 'rtl' : 'ltr'
    this.#pdf = new PDFDocument({
      size: 'A4',
      margin: 0,
      font: '',
      lang: language,
      displayTitle: true,
      tagged: true,
      pdfVersion: '1.7',
      // zlib's output for the same bytes differs between processors.
      compress: false,
      info: { Title: this.#legible(title), Author: this.#legible(author), CreationDate: created },
    })
    this.#body = this.#pdf.struct('Document')
    this.#pdf.addStructure(this.#body).scale(scale)
  }

  /** Draws texts one below the other, leaving out empty ones. Returns the bottom of the last. */
  stack({ start, top, width, align = 'start' }: Box, texts: readonly [text: string | null, style: Style][]): number {
    const left = this.#leftOf(start, width)
    const isLeft = (align === 'start') === (this.#direction === 'ltr')
    let bottom = top
    for (const [text, style] of texts) {
      const readable = this.#legible(text ?? '')
      if (readable === '') continue
      this.#paragraph(readable, () => {
        for (const line of this.#linesOf(readable, style, width)) {
          this.#writeLine(line, style, isLeft ? left : left + width - line.width, bottom)
          bottom += style.leading
        }
      })
    }
    return bottom
  }

  rule({ start, top, width }: Box, color: string): void {
    this.#pdf.markContent('Artifact')
    this.#pdf.rect(this.#leftOf(start, width), top, width, RULE).fill(color)
    this.#pdf.endMarkedContent()
  }

  async bytes(): Promise<Uint8Array> {
    this.#body.end()
    this.#pdf.end()
    return await buffer(this.#pdf)
  }

  /** Adds the text once more in reading order, because a screen reader would read the glyphs from the left. */
  #paragraph(text: string, draw: () => void): void {
    this.#body.add(this.#pdf.struct('P', { actual: text }, draw))
  }

  #leftOf(start: number, width: number): number {
    return this.#direction === 'ltr' ? start : this.width - start - width
  }

  #linesOf(text: string, { size, weight }: Style, width: number): Line[] {
    const font = this.#fonts[weight]
    return linesOf(text, {
      direction: this.#direction,
      width,
      measure: (run, direction) => (font.layout(run, featuresOf(direction)).advanceWidth * size) / font.unitsPerEm,
    })
  }

  #writeLine(line: Line, style: Style, left: number, top: number): void {
    const font = this.#fonts[style.weight]
    // pdfkit accepts an open font, but its types do not know that.
    this.#pdf.font(font as unknown as Uint8Array, style.size).fillColor(style.color)
    const baseline = top + style.leading / 2 + (font.capHeight * style.size) / font.unitsPerEm / 2
    let x = left
    for (const { text, direction, width } of line.runs) {
      this.#pdf.text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic', features: featuresOf(direction) })
      x += width
    }
  }

  #legible(text: string): string {
    return legible(text, (codePoint) => this.#fonts.regular.hasGlyphForCodePoint(codePoint))
  }
}

type Features = ['ltra' | 'rtla']

/** Passes a run's direction to the font as the OpenType feature for alternates of that direction. */
function featuresOf(direction: Direction): Features {
  return direction === 'rtl' ? ['rtla'] : ['ltra']
}

/**
 * Opens a font that sets each run in its own direction. Fontkit alone would take the direction from the first letter. Also drops
 * marks that the font cannot place, on which fontkit alone would fail.
 */
function openFont(weight: keyof typeof FONT_FILES): Font {
  const font = create(fontBytes[weight]) as Font
  const layout = font.layout.bind(font)
  font.layout = (text, features) => {
    const direction = Array.isArray(features) && features.includes('rtla') ? 'rtl' : 'ltr'
    const set = (plain: string) => layout(plain, features, undefined, undefined, direction)
    try {
      return set(text)
    } catch {
      return set(text.replace(/\p{M}/gu, ''))
    }
  }
  return font
}
