// The size of Node.js's space for new objects. It doubles while objects survive, up to three times 32 MB, and an idle process does not
// give it back. A start makes many objects that stay, so it would end with most of that space, which serving may never need.
import { setFlagsFromString } from 'node:v8'

/** Call this before a start: the space stays as small as it is. Objects that stay leave it sooner, which costs little. */
export function holdYoungSpace(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** Call this after a start: the space grows with the load, as Node.js has it. */
export function letYoungSpaceGrow(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
}
