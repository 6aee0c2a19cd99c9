// The token of a sign-in link. It is in the fragment, which no server sees, and leaves the address before anything else happens.

const LINK = /^#link=([\w.~-]+)$/

let token: string | null = null
const listeners = new Set<() => void>()

function take(): void {
  const [, found] = LINK.exec(location.hash) ?? []
  if (found === undefined) return
  history.replaceState(null, '', location.pathname)
  token = found
  for (const listener of listeners) listener()
}

take()
// A link that is opened where the console is open already changes only the fragment.
addEventListener('hashchange', take)

export const signInLink = {
  current: () => token,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  forget() {
    token = null
    for (const listener of listeners) listener()
  },
}
