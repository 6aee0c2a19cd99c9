// Runs the tests of a database owner who may only create roles on PostgreSQL 15, and those of one who may not even do that.
import { describeOwnerWithoutRoles, describePlainOwner } from './plain-owner.ts'

describePlainOwner('PostgreSQL 15')
for (const version of ['PostgreSQL 15', 'PostgreSQL 18'] as const) describeOwnerWithoutRoles(version)
