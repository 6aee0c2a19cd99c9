// Pages that a test file has left as clean as new ones, for the next file of the process: a new one brings a window, a process and caches
// that are cold, which together cost more than most tests.

/** One page, with cookies and storage of its own. */
export interface KeptPage {
  /** The address of its browser. One that crashed and was started again has another. */
  readonly browser: string
  readonly context: string
  readonly target: string
}

const kept: KeptPage[] = []

/** @returns a page that nobody uses, or undefined. It is the caller's until it is kept again. */
export function takePage(browser: string): KeptPage | undefined {
  const place = kept.findIndex((page) => page.browser === browser)
  return place < 0 ? undefined : kept.splice(place, 1)[0]
}

export function keepPage(page: KeptPage): void {
  kept.push(page)
}
