// The operations of what a clinic demands of those who sign in.
import { about, choice, list, object, type Static } from '@clinic-data/contract/schema'
import { changeOf, consoleOperation } from '../console-operation.ts'
import { signInDemands } from './sign-in-demand.ts'

const demand = choice(signInDemands)
const demands = list(demand, signInDemands.length)

export const SignInRule = object({
  demand,
  offered: about('What can be demanded here: the provider only where there is one.', demands),
  met: about('What the session that asks meets itself. No other demand is taken from it.', demands),
})

export type SignInRule = Static<typeof SignInRule>

export const signInDemandOperations = {
  signInRule: consoleOperation({
    id: 'console.sign_in_demand',
    method: 'GET',
    path: '/console/api/sign-in-demand',
    output: object({ data: SignInRule }),
  }),
  /**
   * Holds for every session from the answer on, also for those that have begun. 409 unless the session that asks meets the demand, so that nobody
   * locks out themselves, and for a provider where there is none.
   */
  setSignInRule: consoleOperation({
    id: 'console.sign_in_demand.set',
    method: 'POST',
    path: '/console/api/sign-in-demand',
    audited: 'console.sign_in_demand.set',
    body: changeOf({ demand }),
    output: object({ data: SignInRule }),
  }),
} as const
