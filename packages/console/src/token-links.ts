// The tokens of links that lead to a page before a session: a sign-in link's and an invitation's. A token is in the fragment, which no
// server sees, and leaves the address before anything else happens.

const LINK = /^#(link|invite)=([\w.~-]+)$/

export interface TokenLink {
  readonly kind: 'link' | 'invite'
  readonly token: string
}

let opened: TokenLink | null = null
const listeners = new Set<() => void>()

function open(link: TokenLink | null): void {
  opened = link
  for (const listener of listeners) listener()
}

function take(): void {
  const [, kind, token] = LINK.exec(location.hash) ?? []
  if (token === undefined) return
  history.replaceState(null, '', location.pathname)
  open({ kind: kind === 'invite' ? kind : 'link', token })
}

take()
// A link that is opened where the console is open already changes only the fragment.
addEventListener('hashchange', take)

export const tokenLink = {
  current: () => opened,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  forget: () => open(null),
}
