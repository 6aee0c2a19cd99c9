// Mutants of the console's pages for people of each role, and of invitations.
import type { Mutant } from './mutant.ts'

const walk = {
  by: 'test/console/people.test.ts',
  test: 'an owner invites somebody by a link, who accepts it and finds the pages of the role alone',
}

const offered = {
  by: 'packages/console/test/role-places.test.ts',
  test: 'each role is offered the pages of its work, and no other',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the navigation holds only what is open to the role',
    file: 'packages/console/src/shell/shell.tsx',
    from: 'ENTRIES.filter(([name]) => mayOpen(name))',
    to: 'ENTRIES.filter(([name]) => mayOpen(name) || isOthers(name))',
    caught: walk,
  },
  {
    breaks: 'the address of a page that is not open says to whom it is',
    file: 'packages/console/src/shell/shell.tsx',
    from: 'place !== null && isOthers(place) ?',
    to: 'place !== null && !isOthers(place) && !mayOpen(place) ?',
    caught: walk,
  },
  {
    breaks: 'the token of an invitation leaves the address',
    file: 'packages/console/src/token-links.ts',
    from: "  history.replaceState(null, '', location.pathname)\n",
    to: '',
    caught: walk,
  },
  {
    breaks: 'people are shown to owners alone',
    file: 'packages/console/src/role-places.ts',
    from: 'people: rolesOf.listPeople',
    to: 'people: rolesOf.listKeys',
    caught: offered,
  },
  {
    breaks: 'a member finds the own connections',
    file: 'packages/console/src/role-places.ts',
    from: 'connections: rolesOf.listConnections',
    to: 'connections: rolesOf.listKeys',
    caught: offered,
  },
]
