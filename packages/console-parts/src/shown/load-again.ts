// Loads the page again when its files belong to an earlier version of the service, so that nobody has to know that there was one.

/** When this page was last loaded again, in this tab. */
const LOADED_AGAIN = 'console.loaded-again'
/** A page that fails again so soon has another fault, and the reader decides. */
const SOON_MS = 10_000

/** Not during an outage: the browser would show its own page in place of this one. */
export async function loadAgainOnce(): Promise<void> {
  const elapsed = Date.now() - Number(sessionStorage.getItem(LOADED_AGAIN))
  if (elapsed >= 0 && elapsed < SOON_MS) return
  const answer = await fetch('/console/', { cache: 'no-store' }).catch(() => null)
  if (!answer?.ok) return
  sessionStorage.setItem(LOADED_AGAIN, String(Date.now()))
  location.reload()
}
