import { mayUseLibrary, mayUseLookup } from '../access/caller.js';
import { CommanderTokenVerifier, OpenAccess } from './token-verifier.js';

const CI = { name: 'ci', value: 'token-of-ci', libraries: ['parsers'], scopes: ['library:read'] };
const verifier = new CommanderTokenVerifier('full', [CI]);

test('the token of [http] has every scope, and all libraries', async () => {
  const caller = await verifier.verify('full');
  expect(caller?.scopes).toContain('passwords:encrypt');
  expect([undefined, 'parsers', 'other'].map((name) => mayUseLibrary(caller!, name))).toEqual([
    true,
    true,
    true,
  ]);
});

test('a bound token has its scopes, its libraries, and not the unnamed one', async () => {
  const caller = await verifier.verify('token-of-ci');
  expect(caller).toMatchObject({ id: 'token:ci', scopes: ['library:read'] });
  expect([undefined, 'parsers', 'other', ''].map((name) => mayUseLibrary(caller!, name))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

test('any other token is invalid', async () => {
  expect(await verifier.verify('token-of-c')).toBeUndefined();
});

test('a principal without a list of libraries may use none', () => {
  const caller = { id: 'x', name: 'x', scopes: ['library:read'] };
  expect([undefined, 'parsers'].map((name) => mayUseLibrary(caller, name))).toEqual([false, false]);
});

test('a bound token may read all lookups if its scopes say so, and a token of neither kind none', async () => {
  expect(mayUseLookup((await verifier.verify('token-of-ci'))!, 'sites')).toBe(true);
  expect(mayUseLookup({ id: 'x', name: 'x', scopes: ['iplookup:read'] }, 'sites')).toBe(false);
});

test('other tokens are tried after those of the configuration', async () => {
  const other = { id: '1', name: 'other', scopes: [], libraries: [], lookups: ['sites'] };
  const both = new CommanderTokenVerifier('full', [CI], { verify: () => other });
  expect([await both.verify('full'), await both.verify('x')]).toEqual([await verifier.verify('full'), other]);
});

test('without authentication, all libraries may be used', async () => {
  expect(mayUseLibrary(new OpenAccess().anonymous, undefined)).toBe(true);
});

test.each([
  ['http', [{ ...CI, value: 'full' }], 'token:ci has the same token as http; create another'],
  ['token:ci', [CI, { ...CI, name: 'two' }], 'token:two has the same token as token:ci; create another'],
])('the same token as that of %s is refused', (_other, bound, message) => {
  expect(() => new CommanderTokenVerifier('full', bound)).toThrow(message);
});
