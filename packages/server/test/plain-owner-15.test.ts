// A database of PostgreSQL 15 whose owner may make roles and nothing more.
import { describePlainOwner } from './plain-owner.ts'

describePlainOwner('PostgreSQL 15')
