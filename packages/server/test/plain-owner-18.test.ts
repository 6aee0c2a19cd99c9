// A database of PostgreSQL 18 whose owner may make roles and nothing more.
import { describePlainOwner } from './plain-owner.ts'

describePlainOwner('PostgreSQL 18')
