// The package's version, which the client reports to the service.
export const VERSION = '0.2.0'
