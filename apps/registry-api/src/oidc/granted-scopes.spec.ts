import { SCOPES } from '../tokens/scopes.js';
import { grantedScopes, parseScopeMap, SAME_SCOPES } from './granted-scopes.js';

test.each([
  ['words', 'clients:read openid clients:write', ['clients:read', 'clients:write']],
  ['a list', ['clients:read', 'other'], ['clients:read']],
  ['a list of objects', [{ value: 'clients:check' }, { display: 'clients:read' }], ['clients:check']],
  ['one twice', 'clients:read clients:read', ['clients:read']],
  ['a number', 7, []],
  ['nothing', undefined, []],
  ['an object', { value: 'clients:read' }, []],
  ['a list of anything', [null, 7, ['clients:read']], []],
])('a claim of %s', (_case, scope, expected) => {
  expect(grantedScopes({ scope }, 'scope', SAME_SCOPES)).toEqual(expected);
});

test('a pointer finds nested claims, and names with slashes', () => {
  const claims = { realm_access: { roles: ['clients:read'] }, 'https://x.example/roles': ['metrics:read'] };
  expect(grantedScopes(claims, '/realm_access/roles', SAME_SCOPES)).toEqual(['clients:read']);
  expect(grantedScopes(claims, '/https:~1~1x.example~1roles', SAME_SCOPES)).toEqual(['metrics:read']);
  expect(grantedScopes(claims, 'https://x.example/roles', SAME_SCOPES)).toEqual(['metrics:read']);
  expect(grantedScopes(claims, '/realm_access/missing/more', SAME_SCOPES)).toEqual([]);
});

test('names of the prototype find nothing', () => {
  expect(grantedScopes({}, 'constructor', SAME_SCOPES)).toEqual([]);
  expect(grantedScopes({}, '/__proto__/constructor/name', SAME_SCOPES)).toEqual([]);
});

test('with a map, only mapped values count', () => {
  const map = parseScopeMap(['reader=clients:read', 'reader=metrics:read', 'admin=*', 'a=b=clients:check']);
  expect(grantedScopes({ roles: ['reader', 'clients:write'] }, 'roles', map)).toEqual([
    'clients:read',
    'metrics:read',
  ]);
  expect(grantedScopes({ roles: ['admin'] }, 'roles', map)).toEqual([...SCOPES]);
  expect(grantedScopes({ roles: ['a=b'] }, 'roles', map)).toEqual(['clients:check']);
});

test.each(['reader', 'reader=', '=clients:read', 'reader=clients:fly', 'reader=**'])(
  '%s maps nothing',
  (entry) => {
    expect(() => parseScopeMap([entry])).toThrow(RangeError);
  },
);
