// Preloaded into the processes of `npm run test:processes`: the names of examples lead to this machine, as no DNS knows them.
import { Resolver } from 'node:dns/promises'

const EXAMPLE = /(^|\.)example(\.com|\.net|\.org)?$/

const { resolve4, resolve6 } = Resolver.prototype
Object.assign(Resolver.prototype, {
  async resolve4(this: Resolver, name: string) {
    return EXAMPLE.test(name) ? ['127.0.0.1'] : Reflect.apply(resolve4, this, [name])
  },
  async resolve6(this: Resolver, name: string) {
    return EXAMPLE.test(name) ? [] : Reflect.apply(resolve6, this, [name])
  },
})
