// Runs the tests of a database owner who may only create roles on PostgreSQL 15.
import { describePlainOwner } from './plain-owner.ts'

describePlainOwner('PostgreSQL 15')
