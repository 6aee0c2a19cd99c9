// Starts `test-process.ts` without the trace that Node's test runner keeps of every promise. It makes an `await` thirty times slower,
// and only serves to name the test in which an error escaped: without it the error fails the file instead.
import hooks from 'node:async_hooks'

const { createHook } = hooks
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
await import('./test-process.ts')
