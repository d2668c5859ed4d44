import { ALL_CLIENTS, NO_CLIENTS } from '@svc/client-metadata';
import { grantedSelector, parseSelectorMap, scopesWithin } from './granted-selector.js';

const selectorMap = parseSelectorMap([
  'shop-admins=team:shop',
  'billing=team:billing',
  'eu=region:eu',
  'cn=ops=team:ops',
  'admins=*',
]);
const granted = (groups: unknown) => grantedSelector({ groups }, { selectorClaim: 'groups', selectorMap });

test.each([
  [['shop-admins'], { team: ['shop'] }],
  [['shop-admins', 'billing', 'unknown'], { team: ['billing', 'shop'] }],
  [['shop-admins', 'eu'], { team: ['shop'], region: ['eu'] }],
  ['cn=ops', { team: ['ops'] }],
])('the groups %j reach the Clients with %j', (groups, labels) => {
  expect(granted(groups)).toEqual({ labels });
});

test('the order of the groups makes no difference', () => {
  const groups = ['shop-admins', 'eu', 'billing'];
  expect(JSON.stringify(granted(groups.toReversed()))).toBe(JSON.stringify(granted(groups)));
});

test('a value can stand for all Clients; without any that is listed there are none', () => {
  expect(granted(['shop-admins', 'admins'])).toBe(ALL_CLIENTS);
  for (const none of [['unknown'], [], undefined, 7]) expect(granted(none)).toBe(NO_CLIENTS);
  expect(grantedSelector({}, { selectorClaim: 'groups' })).toBe(ALL_CLIENTS);
});

test.each([
  'shop-admins billing',
  'former shop-admins',
  ' admins',
  'admins ',
  'eu,admins',
  ['not shop-admins', 'no admins'],
])('%j is not split into values that are listed', (groups) => {
  expect(granted(groups)).toBe(NO_CLIENTS);
});

test.each(['shop', 'shop=', 'shop=team', 'shop=team:-', '=team:shop'])('%s is not an entry', (entry) => {
  expect(() => parseSelectorMap([entry])).toThrow(`'${entry}' is not <value>=<key>:<value of the label>`);
});

test('metrics, which count all Clients, need a token that reaches all', () => {
  expect(scopesWithin(ALL_CLIENTS, ['metrics:read'])).toEqual(['metrics:read']);
  expect(scopesWithin({ labels: { team: ['a'] } }, ['metrics:read', 'clients:read'])).toEqual([
    'clients:read',
  ]);
  expect(scopesWithin(NO_CLIENTS, ['tokens:write', 'clients:read'])).toEqual([]);
});
