import { type Recommendation, toChanges, toUndo } from './operations.js';

const recommendation = (overrides: Partial<Recommendation>): Recommendation =>
  ({ client_id: 'shop', client_name: 'Shop', etag: '"1"', ...overrides }) as Recommendation;
const patching = (kind: Recommendation['kind'], body: object, replaces: object) =>
  recommendation({
    kind,
    request: { method: 'PATCH', path: '/client/shop', body: { ...body }, replaces: { ...replaces } },
  });

const S256 = patching('require_s256', { code_challenge_method: 'S256' }, { code_challenge_method: 'none' });
const FULL = patching(
  'use_full_match',
  { redirect_uri_validation_method: 'full_match' },
  { redirect_uri_validation_method: 'none' },
);
const DISABLE = recommendation({
  kind: 'disable',
  request: { method: 'POST', path: '/client/shop/disable' },
});
const RETIRE = recommendation({
  kind: 'retire_secrets',
  request: { method: 'POST', path: '/client/shop/reset_secret' },
});

test('what is chosen of one client becomes one operation', () => {
  expect(toChanges([FULL, S256, RETIRE])).toEqual([
    {
      clientId: 'shop',
      name: 'Shop',
      operation: {
        ...{ op: 'update', client_id: 'shop', if_match: '"1"' },
        patch: { redirect_uri_validation_method: 'full_match', code_challenge_method: 'S256' },
      },
      replaces: { redirect_uri_validation_method: 'none', code_challenge_method: 'none' },
    },
  ]);
  expect(toChanges([S256, DISABLE]).map(({ operation }) => operation)).toEqual([
    { op: 'disable', client_id: 'shop', if_match: '"1"' },
  ]);
});

test('only what was done is undone, and only in the state that it led to', () => {
  const other = { ...DISABLE, client_id: 'portal' };
  const failed = { ...DISABLE, client_id: 'gone' };
  const results = [
    { index: 0, op: 'update' as const, status: 200, changed: true, etag: '"2"' },
    { index: 1, op: 'disable' as const, status: 200, changed: true, etag: '"3"' },
    { index: 2, op: 'disable' as const, status: 404 },
  ];
  const answer = { atomic: false, dry_run: false, succeeded: 2, failed: 1, results };
  expect(toUndo(toChanges([S256, other, failed]), answer)).toEqual([
    { op: 'update', client_id: 'shop', if_match: '"2"', patch: { code_challenge_method: 'none' } },
    { op: 'enable', client_id: 'portal', if_match: '"3"' },
  ]);
});
