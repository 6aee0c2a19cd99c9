// Where a browser on this machine opens the console: at a name, because browsers have passkeys for names alone.

/** This machine's own addresses, and those of a listener on all of its addresses. */
const THIS_MACHINE = ['127.0.0.1', '[::1]', '0.0.0.0', '[::]']

/** @param address of the private listener, such as `http://127.0.0.1:8081` */
export function consoleAddress(address: string): string {
  const url = new URL(address)
  if (THIS_MACHINE.includes(url.hostname)) url.hostname = 'localhost'
  return url.origin
}
