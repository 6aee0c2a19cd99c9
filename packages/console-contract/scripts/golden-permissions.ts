// The golden file of the console's permissions: who may call each operation, with which proof, and what a second person approves.

import { allScopes } from '@clinic-data/contract/scopes'
import { APPROVALS } from '../src/approval-operations.ts'
import { approvedOpenOperations, approvedOperations, FEWEST_APPROVERS, opensPatients } from '../src/approvals.ts'
import { careOf, careOfOpen, PROOF_MINUTES } from '../src/care.ts'
import { consoleOperations } from '../src/console-operations.ts'
import { type Role, roles } from '../src/role-names.ts'
import {
  mayApprove,
  mayMore,
  maySeeAlerts,
  opensApproving,
  openWhileHeld,
  rolesOf,
  rolesOfField,
  rolesOfOpen,
  type SessionOperation,
  scopesFor,
  scopesToGive,
  USUAL_MEMBER_SCOPES,
} from '../src/roles.ts'

export const permissionsFile = new URL('../golden/permissions.txt', import.meta.url)

const WIDTH = 28
const YES = 'x'

const cells = (all: readonly string[]) => all.map((cell) => cell.padEnd(15)).join('')
const line = (name: string, all: readonly string[]) => (name.padEnd(WIDTH) + cells(all)).trimEnd()
const byRole = (is: (role: Role) => boolean) => roles.map((role) => (is(role) ? YES : '-'))
const listed = (names: readonly string[]) => names.join(' ') || '-'

function operationLine(name: string, allowed: readonly Role[], care: string, approved: readonly string[]): string {
  const held = (openWhileHeld as readonly string[]).includes(name) ? YES : '-'
  return line(name, [...byRole((role) => allowed.includes(role)), approved.includes(name) ? YES : '-', held, care])
}

function operationLines(): string[] {
  const own = (Object.keys(rolesOf) as SessionOperation[]).map((name) =>
    operationLine(name, rolesOf[name], careOf[name], approvedOperations),
  )
  const open = (Object.keys(rolesOfOpen) as (keyof typeof rolesOfOpen)[]).map((id) =>
    operationLine(id, rolesOfOpen[id], careOfOpen[id], approvedOpenOperations),
  )
  return [line('operation', [...roles, 'approval', 'while held', 'proof']), ...own.sort(), ...open.sort()]
}

function comparedLines(title: string, is: (role: Role, other: Role) => boolean): string[] {
  return roles.map((other) => {
    const all = byRole((role) => is(role, other))
    return line(`${title} ${other}`, all)
  })
}

export function permissionsText(): string {
  const anyone = Object.entries(consoleOperations).flatMap(([name, { access }]) => (access === 'anyone' ? [name] : []))
  const sections = {
    'Operations of a session': operationLines(),
    'Operations without a session': anyone.sort(),
    'Fields that others do not see': [
      line('', roles),
      ...Object.entries(rolesOfField).map(([field, allowed]) =>
        line(
          field,
          byRole((role) => allowed.includes(role)),
        ),
      ),
    ],
    'What a role may': [
      line('', roles),
      line('approves', byRole(mayApprove)),
      line('sees alerts', byRole(maySeeAlerts)),
      ...comparedLines('more than', mayMore),
      ...comparedLines('approved for', opensApproving),
    ],
    'Scopes that a role has': roles.map((role) => line(role, [listed(scopesFor(role))])),
    'Scopes that a role gives to apps': roles.map((role) =>
      line(role, [listed(scopesToGive(role, USUAL_MEMBER_SCOPES))]),
    ),
    'Scopes that wait for an approval': allScopes.filter((scope) => opensPatients([scope])),
    Limits: [
      line('minutes of a proof', [String(PROOF_MINUTES)]),
      line('fewest approvers', [String(FEWEST_APPROVERS)]),
      line('hours to decide', [String(APPROVALS.hours_to_decide)]),
      line('hours to use', [String(APPROVALS.hours_to_use)]),
    ],
  }
  return Object.entries(sections)
    .map(([title, lines]) => [`# ${title}`, ...lines, ''].join('\n'))
    .join('\n')
}
