// Leaves the console for the address that an app is answered at.

/** The service refuses these too. An address that runs something in this page is never followed. */
const DANGEROUS = /^(?:javascript|data|vbscript|blob|file|about|filesystem|view-source):/i

/** The page is not one of those that "back" leads to: its request has been answered. */
export function leaveFor(address: string): void {
  if (DANGEROUS.test(new URL(address).protocol)) throw new Error('an app is not answered at such an address')
  location.replace(address)
}

/** Another site's page takes the place of this one. Of a program's own address nobody knows whether it opened anything. */
export const isWebPage = (address: string) => /^https?:/i.test(address)
