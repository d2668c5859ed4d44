import { SCOPES } from './scopes.js';
import { parseTokenArguments } from './token.command.js';
import { TokenUsageError } from './token.errors.js';

const NO_LIMITS = { maxUses: null, maxRegistrations: null, registrationsPerDay: null };

test('a locked-out administrator gets all scopes', () => {
  expect(parseTokenArguments(['create', '--name', 'rescue'])).toEqual({
    ...{ name: 'rescue', scopes: SCOPES, lifetime: undefined },
    restrictions: { selector: null, networks: null, ...NO_LIMITS },
  });
});

test('scopes and a lifetime can be given', () => {
  const words = [
    'create',
    '--name',
    'ci',
    '--scope',
    'clients:read,clients:check',
    '--scope=metrics:read',
    '--expires-in',
    '1 d',
  ];
  const body = parseTokenArguments(words);
  expect(body.scopes).toEqual(['clients:read', 'clients:check', 'metrics:read']);
  expect(body.lifetime).toBe(86_400);
});

test('a token can be restricted as over HTTP', () => {
  const words =
    'create --name ci --scope clients:read --selector team:shop --selector team:pay --selector stage:test';
  const more = '--network 10.0.0.0/8,192.0.2.7 --client-id shop-web --max-uses 5';
  expect(parseTokenArguments(`${words} ${more}`.split(' ')).restrictions).toEqual({
    selector: { labels: { team: ['shop', 'pay'], stage: ['test'] }, clientId: 'shop-web' },
    networks: ['10.0.0.0/8', '192.0.2.7'],
    ...NO_LIMITS,
    maxUses: 5,
  });
});

test('restrictions that contradict scopes are refused with the remedy', () => {
  const create = (...words: string[]) => parseTokenArguments(['create', '--name', 'ci', ...words]);
  expect(() => create('--selector', 'team:shop')).toThrow(
    /a token limited to some clients cannot have the scope .*; name others with --scope/,
  );
  expect(() => create('--max-uses', '1', '--scope', 'tokens:write')).toThrow(
    'cannot have tokens:write: it could create tokens without these limits; name others with --scope',
  );
});

test.each([
  [],
  ['delete'],
  ['create'],
  ['create', '--name'],
  ['create', '--name', ''],
  ['create', '--name', 'x', 'more'],
  ['create', '--name', 'x', '--scope', 'clients:fly'],
  ['create', '--name', 'x', '--scope', ''],
  ['create', '--name', 'x', '--expires-in', 'soon'],
  ['create', '--name', 'x', '--admin'],
  ['create', '--name', 'x', '--scope', 'clients:read', '--selector', 'team'],
  ['create', '--name', 'x', '--network', 'here'],
  ['create', '--name', 'x', '--max-uses', 'many'],
])('%j is no use', (...words) => {
  expect(() => parseTokenArguments(words as string[])).toThrow(TokenUsageError);
});
