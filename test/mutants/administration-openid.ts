// Mutants of the backend: signing in to the console by an identity provider.
import type { Mutant } from './mutant.ts'

const SIGN_IN = 'packages/administration/src/openid/openid-sign-in.ts'
const inTurn = {
  by: 'packages/administration/test/group-roles.test.ts',
  test: 'a sign-in with groups is done in turn with whoever changes people, and one without waits for nobody',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'an administrator keeps the account of the identity provider',
    file: SIGN_IN,
    from: '|| !(found.is_bound || found.is_free)',
    to: '',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'after the first sign-in only the same account of the provider comes in, until the operator unbinds it',
    },
  },
  {
    breaks: 'an account of the identity provider is the person, whatever its e-mail says',
    file: SIGN_IN,
    from: 'rows.find(({ is_bound }) => is_bound) ?? rows[0]',
    to: 'rows[0]',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'after the first sign-in only the same account of the provider comes in, until the operator unbinds it',
    },
  },
  {
    breaks: 'a subject of another provider is somebody else',
    file: SIGN_IN,
    from: 'openid_issuer = ${issuer} and openid_subject = ${subject}, false',
    to: 'openid_subject = ${subject}, false',
    caught: {
      by: 'packages/administration/test/openid.test.ts',
      test: 'after the first sign-in only the same account of the provider comes in, until the operator unbinds it',
    },
  },
  {
    breaks: 'an e-mail of the identity provider is compared exactly',
    file: SIGN_IN,
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
  {
    breaks: 'a sign-in with groups waits for whoever changes what they give',
    file: SIGN_IN,
    from: 'if (person.groups !== null) await lockPeople(',
    to: "if (person.subject === '') await lockPeople(",
    caught: inTurn,
  },
  {
    breaks: 'a sign-in without groups waits for nobody who changes people',
    file: SIGN_IN,
    from: 'if (person.groups !== null) await lockPeople(',
    to: 'await lockPeople(',
    caught: inTurn,
  },
  {
    breaks: 'where groups are switched off nobody signs in to a role by group',
    file: SIGN_IN,
    from: 'if (!found.is_by_group) return',
    to: "if (found.id !== '') return",
    caught: {
      by: 'packages/administration/test/still-in-group.test.ts',
      test: 'where the operator has switched groups off since, a role by group is nobody’s',
    },
  },
  {
    breaks: 'nobody asks about an account that the operator has unbound',
    file: 'packages/administration/src/openid/still-in-group.ts',
    from: ' || subject === null) return null',
    to: ') return null',
    caught: {
      by: 'packages/administration/test/still-in-group.test.ts',
      test: 'an account that the operator has unbound has nothing to be asked by: its session ends',
    },
  },
]
