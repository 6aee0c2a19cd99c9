// The contract of the Clinic Data API: everything public is a projection of what stands here.
export * from './backend.ts'
export * from './event-types.ts'
export * from './grant.ts'
export * from './limits.ts'
export * from './operation.ts'
export * from './operations.ts'
export * from './problems.ts'
export * from './scopes.ts'
