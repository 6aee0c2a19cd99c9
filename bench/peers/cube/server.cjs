// Cube's server, for `cube.ts`, without its native part, which its installation downloads from elsewhere. Here that part would only
// take log lines and read models in YAML; answers are made without it.
const native = require('@cubejs-backend/native')
const CubeServer = require('@cubejs-backend/server')

native.setupLogger = () => undefined
native.NativeInstance.prototype.newJinjaEngine = () => ({})
new CubeServer({ schemaPath: 'model', telemetry: false, logger: () => undefined }).listen()
