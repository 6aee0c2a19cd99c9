// Node.js's space for new objects: what is made in it, and its size. The size doubles while objects survive, up to three times 32 MB, and
// an idle process does not give it back. A start makes many objects that stay, so it would end with most of that space, which serving may
// never need.
import { setFlagsFromString } from 'node:v8'

/**
 * Call this before a start: the space stays as small as it is. Objects that stay leave it sooner, which costs little.
 *
 * All new objects are made in it, for as long as the process lives. Otherwise V8 makes a kind of object outside of it, in the part that
 * is seldom cleaned, when most of that kind have survived so far. During a start that is true of lists of event listeners. Later each
 * request has one, and the list would keep all of the request until the next full collection.
 */
export function holdYoungSpace(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Call this after a start: the space grows with the load, as Node.js has it. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
