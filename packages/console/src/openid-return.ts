// The return from the identity provider: where the reader was before leaving, and what came of it. Both leave the address at once.

const OUTCOME = /^#openid=(refused|stopped)$/
const PLACE = 'console.before-openid'

function take(): 'refused' | 'stopped' | null {
  const [, outcome] = OUTCOME.exec(location.hash) ?? []
  const place = sessionStorage.getItem(PLACE)
  if (place === null && outcome === undefined) return null
  sessionStorage.removeItem(PLACE)
  if (location.pathname === '/console/') history.replaceState(null, '', place ?? location.pathname)
  return outcome === 'refused' || outcome === 'stopped' ? outcome : null
}

/** Why nobody was signed in. Null: nothing was tried, or it succeeded. */
export const openIdOutcome = take()

/** Leaves for the provider's page. */
export function leaveFor(url: string): void {
  sessionStorage.setItem(PLACE, location.pathname + location.search)
  location.assign(url)
}
