// The return from the identity provider: where the reader was before leaving, and what came of it. Both leave the address at once.

const OUTCOME = /^#openid=(refused|stopped|unconfirmed)$/
const PLACE = 'console.before-openid'

type Outcome = 'refused' | 'stopped' | 'unconfirmed'

function take(): Outcome | null {
  const [, outcome] = OUTCOME.exec(location.hash) ?? []
  const place = sessionStorage.getItem(PLACE)
  if (place === null && outcome === undefined) return null
  sessionStorage.removeItem(PLACE)
  if (location.pathname === '/console/') history.replaceState(null, '', place ?? location.pathname)
  return outcome === undefined ? null : (outcome as Outcome)
}

/** Why nobody was signed in, or confirmed. Null: nothing was tried, or it succeeded. */
export const openIdOutcome = take()

/** Leaves for the provider's page. */
export function leaveFor(url: string): void {
  sessionStorage.setItem(PLACE, location.pathname + location.search)
  location.assign(url)
}
