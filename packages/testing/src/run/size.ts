// How much a test tries, and with which choices: little every day, so that `npm test` is quick, and much with `npm run test:long`,
// which runs the files that import this one. The choices are the same each time; only `npm run explore` makes new ones.

const isLong = process.env.TEST_SIZE === 'long'

/** @example const ROUNDS = sized({ everyday: 3, long: 12 }) */
export function sized<T>({ everyday, long }: { everyday: T; long: T }): T {
  return isLong ? long : everyday
}

/** Every choice of a run follows from it. A failed exploration prints its own, and `TEST_SEED` repeats it. */
export const SEED = Number(process.env.TEST_SEED ?? 1)
