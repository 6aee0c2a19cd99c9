// Mutants of the backend: signing in to the console by an identity provider.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an administrator keeps the account of the identity provider',
    file: 'packages/administration/src/openid/openid-sign-in.ts',
    from: '|| !(found.is_bound || found.is_free)',
    to: '',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'after the first sign-in only the same account of the provider comes in, until the operator unbinds it',
    },
  },
  {
    breaks: 'an account of the identity provider is the person, whatever its e-mail says',
    file: 'packages/administration/src/openid/openid-sign-in.ts',
    from: 'rows.find(({ is_bound }) => is_bound) ?? rows[0]',
    to: 'rows[0]',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'after the first sign-in only the same account of the provider comes in, until the operator unbinds it',
    },
  },
  {
    breaks: 'a subject of another provider is somebody else',
    file: 'packages/administration/src/openid/openid-sign-in.ts',
    from: 'openid_issuer = ${issuer} and openid_subject = ${subject}, false',
    to: 'openid_subject = ${subject}, false',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'after the first sign-in only the same account of the provider comes in, until the operator unbinds it',
    },
  },
  {
    breaks: 'an e-mail of the identity provider is compared exactly',
    file: 'packages/administration/src/openid/openid-sign-in.ts',
    from: 'const PLAIN = /^[\\x21-\\x7e]+$/',
    to: 'const PLAIN = /./',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'an e-mail that only looks like the administrator’s is refused',
    },
  },
  {
    breaks: 'a browser that came in by the provider is known',
    file: 'packages/administration/src/routes/openid-routes.ts',
    from: 'return [sessionCookie(token, isSecure), browserCookie(signInKeys, accountOf(session), isSecure)]',
    to: 'return [sessionCookie(token, isSecure)]',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'a browser that came in by the provider is known to its account, and strangers who guess there do not lock it out',
    },
  },
  {
    breaks: 'where the provider is required, no password and no passkey signs in',
    file: 'packages/administration/src/routes/sign-in-route.ts',
    from: "    if (name !== 'signInByLink') refuseBesideProvider(parts)\n",
    to: '',
    caught: {
      by: 'packages/administration/test/only-provider.test.ts',
      test: 'where the provider is required, no password and no passkey opens the console or is added, and an operator’s link does',
    },
  },
  {
    breaks: 'where the provider is required, passkeys from before can be removed',
    file: 'packages/administration/src/routes/console-handlers.ts',
    from: '      await removePasskey(',
    to: '      refuseBesideProvider(parts)\n      await removePasskey(',
    caught: {
      by: 'packages/administration/test/only-provider.test.ts',
      test: 'where the provider is required, passkeys from before are listed and removed',
    },
  },
  {
    breaks: 'an account of the provider is a way in only where there is a provider',
    file: 'packages/administration/src/routes/console-handlers.ts',
    from: 'has_provider_account: is_bound && openId !== null',
    to: 'has_provider_account: is_bound',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'a verified e-mail of an administrator of the clinic signs in, leads to the page, and has its audit row',
    },
  },
]
