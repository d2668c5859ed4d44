import { SCOPES } from './scopes.js';
import { parseTokenArguments } from './token.command.js';
import { lifetimeOf } from './token.dto.js';
import { TokenUsageError } from './token.errors.js';

test('a locked-out administrator gets all scopes', () => {
  const body = parseTokenArguments(['create', '--name', 'rescue']);
  expect(body).toMatchObject({ name: 'rescue', scopes: [...SCOPES] });
  expect(lifetimeOf(body)).toBeUndefined();
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
  expect(lifetimeOf(body)).toBe(86_400);
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
])('%j is no use', (...words) => {
  expect(() => parseTokenArguments(words as string[])).toThrow(TokenUsageError);
});
