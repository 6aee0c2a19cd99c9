// Mutants of the SDK for Python, and of its wheel. Where there is no Python, their tests skip themselves and notice nothing.
import type { Mutant } from './mutant.ts'

const by = 'packages/python/test/python.test.ts'
const requests = {
  by,
  test: 'Python: requests are sent as the contract says, answers survive additions, and the key is never shown',
}
const repeats = {
  by,
  test: 'Python: a request is repeated where that is safe, after the pause that the service asks for, and fails with its kind of error',
}
const webhooks = { by, test: 'Python: a delivery is accepted only as the service signed it, and each refusal says why' }

export const mutants: readonly Mutant[] = [
  {
    breaks: 'Python: a Decimal that the service would read as another number is refused',
    file: 'packages/python/src/clinic_data/decimals.py',
    from: 'value.is_finite() and Decimal(repr(float(value))) == value',
    to: 'value.is_finite()',
    caught: requests,
  },
  {
    breaks: 'Python: an instant without a zone is refused',
    file: 'packages/python/src/clinic_data/times.py',
    from: 'value.utcoffset() is None',
    to: 'False',
    caught: requests,
  },
  {
    breaks: 'Python: an instant is sent as ISO 8601, without a blank',
    file: 'packages/python/src/clinic_data/times.py',
    from: 'value.isoformat()',
    to: 'str(value)',
    caught: requests,
  },
  {
    breaks: 'Python: a walk that an unknown id leaves empty says so',
    file: 'packages/python/src/clinic_data/pages.py',
    from: '        warnings.warn(told, FilterWarning, stacklevel=calls_above + 1)',
    to: '        str(told)',
    caught: requests,
  },
  {
    breaks: 'Python: the headers of a delivery may be bytes, as ASGI has them',
    file: 'packages/python/src/clinic_data/webhooks.py',
    from: 'part.decode("latin-1")',
    to: 'str(part)',
    caught: webhooks,
  },
  {
    breaks: 'Python: no error holds the key, whatever httpx says',
    file: 'packages/python/src/clinic_data/answer.py',
    from: 'str(error).replace(secret.reveal(), "…")',
    to: 'str(error)',
    caught: requests,
  },
  {
    breaks: 'Python: the key goes to no address that only begins like this machine',
    file: 'packages/python/src/clinic_data/settings.py',
    from: '_LOOPBACK.fullmatch(host)',
    to: '_LOOPBACK.match(host)',
    caught: requests,
  },
  {
    breaks: 'Python: null is sent where it means something',
    file: 'packages/python/src/clinic_data/request.py',
    from: '.items() if value is not OMITTED',
    to: '.items() if value is not OMITTED and value is not None',
    caught: requests,
  },
  {
    breaks: 'Python: a request that takes effect each time is not repeated after a broken connection',
    file: 'packages/python/src/clinic_data/retry.py',
    from: 'not is_temporary or not (is_repeatable or status == _REFUSED)',
    to: 'not is_temporary',
    caught: repeats,
  },
  {
    breaks: 'Python: a conflict of the first attempt is told to the caller',
    file: 'packages/python/src/clinic_data/retry.py',
    from: 'attempts > 1',
    to: 'attempts > 0',
    caught: repeats,
  },
  {
    breaks: 'Python: Retry-After is waited for',
    file: 'packages/python/src/clinic_data/retry.py',
    from: '(retry_after_seconds or 0.0) + draw()',
    to: 'draw()',
    caught: repeats,
  },
  {
    breaks: 'Python: signatures are compared in constant time',
    file: 'packages/python/src/clinic_data/webhooks.py',
    from: 'hmac.compare_digest(signature.encode("utf-8", "surrogatepass"), expected.encode())',
    to: 'signature == expected',
    caught: webhooks,
  },
  {
    breaks: 'Python: both signatures must be right when both are there',
    file: 'packages/python/src/clinic_data/webhooks.py',
    from: ' for one in signatures.split(" ")]) and is_own_right',
    to: ' for one in signatures.split(" ")])',
    caught: webhooks,
  },
  {
    breaks: 'Python: a tolerance that is no number accepts nothing',
    file: 'packages/python/src/clinic_data/webhooks.py',
    from: 'if not abs(age) <= tolerance_seconds:',
    to: 'if abs(age) > tolerance_seconds:',
    caught: webhooks,
  },
  {
    breaks: 'Python: a value that a later version adds to an answer is no fault of types',
    file: 'packages/python/scripts/python-types.ts',
    from: "  if (way === 'answered') return 'str'\n",
    to: '',
    caught: {
      by: 'packages/python/test/generated-files.test.ts',
      test: 'generated/resources.py is what the contract projects today',
    },
  },
  {
    breaks: 'the wheel names the hash of each file as pip reads it',
    file: 'packages/python/scripts/wheel.ts',
    from: "hash('sha256', content, 'base64url')",
    to: "hash('sha256', content, 'base64')",
    caught: {
      by: 'test/packages.test.ts',
      test: 'the wheel is what pip reads: its name, its files with their hashes, and nothing beside httpx',
    },
  },
  {
    breaks: 'the page that connects a program installs the SDK for Python by the name that pip takes',
    file: 'packages/contract/src/projections/programs.ts',
    from: '`clinic_data-${version}-py3-none-any.whl`',
    to: '`clinic_data-${version}.whl`',
    caught: {
      by: 'test/packages.test.ts',
      test: 'the wheel is what pip reads: its name, its files with their hashes, and nothing beside httpx',
    },
  },
  {
    breaks: 'the page that connects a program has a first program in Python that runs',
    file: 'packages/console/src/connect/first.py',
    from: 'client.catalog.branches.list()',
    to: 'client.branches.list()',
    caught: { by: 'test/console/connect.test.ts', test: 'the program of the SDK for Python runs with its line' },
  },
]
