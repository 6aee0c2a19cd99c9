// The error of a setting that cannot be used.

/** A configuration value that cannot be used. The message names the variable and says what it must be. */
export class ConfigError extends Error {}
