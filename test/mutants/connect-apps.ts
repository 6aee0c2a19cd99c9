// Mutants of the apps that are connected, of consent, and of the endpoints that apps call.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'every answer to an app names its issuer',
    file: 'packages/connect/src/consent/authorization-answer.ts',
    from: '{ state }), iss }',
    to: '{ state }) }',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'an answer goes back with the state and the issuer, and each consent is on record with its connection',
    },
  },
  {
    breaks: 'an answer to an app brings its state back',
    file: 'packages/connect/src/consent/authorization-answer.ts',
    from: '...(state !== null && { state }), ',
    to: '',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'an answer goes back with the state and the issuer, and each consent is on record with its connection',
    },
  },
  {
    breaks: 'every request has a challenge by S256',
    file: 'packages/connect/src/consent/authorization-request.ts',
    from: "parameters.get('code_challenge_method') !== 'S256' || challenge === null",
    to: 'challenge === null',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'another fault goes to the app in the words of OAuth, with state and issuer, and cannot be allowed',
    },
  },
  {
    breaks: 'nobody is sent back to an address that the app has not registered',
    file: 'packages/connect/src/consent/authorization-request.ts',
    from: 'const redirectUri = findRedirect(app, sent)',
    to: 'const redirectUri: string | null = sent',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'nobody is sent to an address that is not to the letter the app’s own',
    },
  },
  {
    breaks: 'a person allows no more than an app asks for',
    file: 'packages/connect/src/consent/new-connection.ts',
    from: 'const wider = allowed.scopes.some((scope) => !requested.includes(scope))',
    to: 'const wider = false',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'a person allows no more than was asked, and nothing after signing out',
    },
  },
  {
    breaks: 'a connection has the scopes that the person left',
    file: 'packages/connect/src/consent/new-connection.ts',
    from: 'allScopes.filter((scope) => allowed.scopes.includes(scope))',
    to: 'allScopes.filter((scope) => requested.includes(scope))',
    caught: {
      by: 'packages/connect/test/tokens.test.ts',
      test: 'a code becomes tokens that open the clinic of the person, with the allowed scopes and no more',
    },
  },
  {
    breaks: 'wrong codes of devices are limited',
    file: 'packages/connect/src/consent/wrong-guesses.ts',
    from: 'counted.number < MOST_WRONG',
    to: 'counted.number < 10 * MOST_WRONG',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'a device’s code is answered once, and wrong ones are limited',
    },
  },
  {
    breaks: 'a registered address is compared to its end',
    file: 'packages/connect/src/apps/redirects.ts',
    from: 'if (redirect_uris.includes(sent)) return sent',
    to: 'if (redirect_uris.some((one) => sent.startsWith(one))) return sent',
    caught: { by: 'packages/connect/test/redirects.test.ts', test: 'is one that is registered, to the letter' },
  },
  {
    breaks: 'a loopback address has the host that is registered',
    file: 'packages/connect/src/apps/redirects.ts',
    from: '`http://${host}${rest}`',
    to: '`http://${rest}`',
    caught: {
      by: 'packages/connect/test/redirects.test.ts',
      test: 'to a loopback address has any port, and the same host and path',
    },
  },
  {
    breaks: 'no app is answered at an address that starts a program of somebody else',
    file: 'packages/connect/src/apps/redirects.ts',
    from: 'return REVERSE_DOMAIN.test(scheme) || KNOWN',
    to: "return scheme !== 'http' || REVERSE_DOMAIN.test(scheme) || KNOWN",
    caught: {
      by: 'packages/connect/test/redirects.test.ts',
      test: 'is refused when its scheme may start a program of somebody else',
    },
  },
  {
    breaks: 'a disabled app is gone',
    file: 'packages/connect/src/apps/apps.ts',
    from: 'if (row?.is_disabled) return null',
    to: '',
    caught: { by: 'packages/connect/test/apps.test.ts', test: 'a disabled app is gone at once' },
  },
  {
    breaks: 'the policy holds for apps that have registered themselves',
    file: 'packages/connect/src/apps/apps.ts',
    from: 'row === null || !this.#allows(row.kind) ? null',
    to: 'row === null ? null',
    caught: {
      by: 'packages/connect/test/apps.test.ts',
      test: 'the policy holds at each look-up, and registered apps are found under every one',
    },
  },
  {
    breaks: 'a former secret of an app has an end',
    file: 'packages/connect/src/apps/apps.ts',
    from: 'row.is_former_good === true ? row.former_secret_hash : null',
    to: 'row.former_secret_hash',
    caught: {
      by: 'packages/connect/test/client-authentication.test.ts',
      test: 'a former secret is good until its time, and no longer',
    },
  },
  {
    breaks: 'an app with a secret has to prove itself',
    file: 'packages/connect/src/apps/client-authentication.ts',
    from: 'if (known === null || known.app.authentication !== proof.way) return false',
    to: 'if (known === null) return false',
    caught: {
      by: 'packages/connect/test/client-authentication.test.ts',
      test: 'a confidential app has its secret in the header or the form, and nothing opens it without',
    },
  },
  {
    breaks: 'an assertion is good once',
    file: 'packages/connect/src/apps/client-assertion.ts',
    from: 'if (this.#used.has(hash)) return false',
    to: '',
    caught: { by: 'packages/connect/test/client-assertion.test.ts', test: 'an assertion proves an app once' },
  },
  {
    breaks: 'an assertion is for this service alone',
    file: 'packages/connect/src/apps/client-assertion.ts',
    from: 'audiences.every((one) => ours.includes(one))',
    to: 'audiences.some((one) => ours.includes(one))',
    caught: {
      by: 'packages/connect/test/client-assertion.test.ts',
      test: 'what is not for us, not of the app, not in time or without jti is refused',
    },
  },
  {
    breaks: 'the document of an app names its own address',
    file: 'packages/connect/src/apps/app-document.ts',
    from: "if (value.client_id !== id) faults.push({ member: 'client_id', fault: 'must be the address of the document itself' })",
    to: '',
    caught: { by: 'packages/connect/test/app-document.test.ts', test: 'with every reason at once' },
  },
  {
    breaks: 'the document of an app is at most 64 KB',
    file: 'packages/webhooks/src/receiver/document-client.ts',
    from: '      maxResponseSize: maxBytes,\n',
    to: '',
    caught: {
      by: 'packages/connect/test/app-document.test.ts',
      test: 'when it is longer than 64 KB, and the rest of 100 MB is not read',
    },
  },
  {
    breaks: 'nobody registers an app where the operator has not allowed it',
    file: 'packages/connect/src/endpoints/register.ts',
    from: '  if (!mayRegister)\n',
    to: '  if (mayRegister === undefined)\n',
    caught: {
      by: 'packages/connect/test/register.test.ts',
      test: 'nobody registers where the operator has not allowed it',
    },
  },
  {
    breaks: 'a connection is not among the keys of clinicd',
    file: 'packages/administration/src/credentials/keys.ts',
    from: 'isOne: isNoConnection(sql`id`)',
    to: 'isOne: sql`true`',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'an allowed app is listed with who connected it, and no key is',
    },
  },
  {
    breaks: 'a connection is not among the keys of the console',
    file: 'packages/administration/src/pages/console-keys.ts',
    from: '${isNoConnection(sql`k.id`)} and ',
    to: '',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'an allowed app is listed with who connected it, and no key is',
    },
  },
  {
    breaks: 'the scopes of a connection are only taken away',
    file: 'packages/connect/src/connections/change-connection.ts',
    from: 'if (scopes.some((scope) => !stored.scopes.includes(scope))) {',
    to: 'if (scopes.length > 100) {',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'a scope that is taken away, and a connection that is ended, are refused from the answer on',
    },
  },
  {
    breaks: 'a token for one place opens nothing of the other',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: 'principal.audience === undefined || principal.audience === audience',
    to: 'principal.audience !== null',
    caught: { by: 'test/rules/challenges.test.ts', test: 'a token for the MCP server opens nothing of the REST API' },
  },
  {
    breaks: 'an app learns of the end of its token from a crowded address',
    file: 'packages/gateway/src/authentication/authentication.ts',
    from: 'if (wait === null || isToken)',
    to: 'if (wait === null)',
    caught: {
      by: 'test/rules/challenges.test.ts',
      test: 'an app learns of the end of its token however many others come from its address',
    },
  },
  {
    breaks: 'a parameter of a form comes once',
    file: 'packages/gateway/src/connect/app-form.ts',
    from: 'repeated.size > 0',
    to: 'repeated.size > 1',
    caught: {
      by: 'test/rules/app-endpoints.test.ts',
      test: '/oauth/token refuses a doubled parameter even if one of the two is empty',
    },
  },
  {
    breaks: 'an address block registers ten apps a minute',
    file: 'packages/gateway/src/connect/app-routes.ts',
    from: 'register: 10',
    to: 'register: 100',
    caught: {
      by: 'test/rules/app-endpoints.test.ts',
      test: 'an address may register ten times a minute, with every address of its block',
    },
  },
  {
    breaks: 'a person hears why an app cannot be asked about',
    file: 'packages/connect/src/consent/app-of-request.ts',
    from: 'if (!(error instanceof OAuthError)) throw error',
    to: 'throw error',
    caught: {
      by: 'packages/administration/test/connections.test.ts',
      test: 'of an app whose own document cannot be used, the person hears why, and nobody is sent anywhere',
    },
  },
  {
    breaks: 'a signature of a stranger takes no more than half a millisecond',
    file: 'packages/connect/src/apps/assertion-keys.ts',
    from: ' && isWithin(e, MOST_EXPONENT_BITS)',
    to: '',
    caught: {
      by: 'packages/connect/test/client-assertion.test.ts',
      test: 'a key that takes long to verify is not tried: a long exponent or modulus, another curve',
    },
  },
  {
    breaks: 'refusals of an app that signs are counted',
    file: 'packages/gateway/src/connect/app-routes.ts',
    from: ' || (form.client_assertion !== undefined && !OF_WAITING.includes(error))',
    to: '',
    caught: {
      by: 'test/rules/app-endpoints.test.ts',
      test: 'refusals of an app that signs, and tokens given back that there are none of, count as guesses',
    },
  },
]
