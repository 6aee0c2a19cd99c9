// The version of the package, as the service is told it.
export const VERSION = '0.1.0'
