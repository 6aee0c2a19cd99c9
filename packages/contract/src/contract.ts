// The contract of the Clinic Data API. Everything public is a projection of it.
export * from './backend.ts'
export * from './event-types.ts'
export * from './grant.ts'
export * from './limits.ts'
export * from './operation.ts'
export * from './operations.ts'
export * from './problems.ts'
export * from './scopes.ts'
