// How much a test tries: little every day, so that `npm test` is quick, and much with `npm run test:long`,
// which runs the files that import this one.

const isLong = process.env.TEST_SIZE === 'long'

/** @example const ROUNDS = sized({ everyday: 3, long: 12 }) */
export function sized<T>({ everyday, long }: { everyday: T; long: T }): T {
  return isLong ? long : everyday
}
