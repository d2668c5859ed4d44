import type { Explanation } from '@svc/registry-client';
import { explanationText } from './explanation-text.js';

const REFUSED: Explanation = {
  client_id: 'shop',
  client_name: 'Shop\u001b[2J',
  valid: false,
  errors: [{ error: 'invalid_request', rule: 'no_match', error_description: 'redirect_uri does not match' }],
  notes: [],
  redirect_uri: 'https://shop.example/cb/',
  nearest: {
    redirect_uri: 'https://shop.example/cb',
    difference: 'a slash at the end',
    common_start: 23,
    common_end: 0,
  },
  last_worked_at: '2026-11-24T09:11:40.000Z',
  recorded_since: '2026-10-01T08:00:00.000Z',
  history: 'changed',
  broken_by: {
    seq: 42,
    client_id: 'shop',
    kind: 'updated',
    at: '2026-11-24T09:12:00.000Z',
    actor: { id: 'a', name: 'alice', address: '192.0.2.7' },
    changed: [
      {
        field: 'redirect_uris',
        before: ['https://shop.example/cb/'],
        after: ['https://shop.example/cb'],
      },
    ],
  },
};

test('a refusal shows the rule, marks the difference, and names the change and who made it', () => {
  expect(explanationText(REFUSED).split('\n')).toEqual([
    'the registry rejects this request from shop (Shop\\u001b[2J)',
    '  no_match: redirect_uri does not match',
    'nearest redirect URI (difference: a slash at the end):',
    '  requested   https://shop.example/cb/',
    '                                     ~',
    '  registered  https://shop.example/cb',
    '                                     ^',
    'last worked: 2026-11-24T09:11:40.000Z',
    'broken by: change 42, updated at 2026-11-24T09:12:00.000Z by alice from 192.0.2.7',
    '  redirect_uris: ["https://shop.example/cb/"] -> ["https://shop.example/cb"]',
  ]);
});

test.each<[Partial<Explanation>, string]>([
  [{ history: 'never_valid' }, 'broken by: no change, the registry never accepted it'],
  [{ history: 'unknown' }, 'broken by: unknown, the retained history does not show it'],
  [
    { history: 'expired', expired_at: '2026-11-24T09:00:00.000Z' },
    'broken by: the expiry of the redirect URI at 2026-11-24T09:00:00.000Z',
  ],
])('without a change it says what the history does say: %j', (overrides, line) => {
  const { broken_by: _change, ...rest } = REFUSED;
  expect(
    explanationText({ ...rest, ...overrides })
      .split('\n')
      .at(-1),
  ).toBe(line);
});

test('an accepted request shows when it last worked, and no reasons', () => {
  const text = explanationText({ client_id: 'shop', valid: true, errors: [], notes: [] });
  expect(text).toBe(
    'the registry accepts this request from shop\nlast worked: unknown, no usage has been recorded yet',
  );
});

test('of a deleted Client it says that its usage is gone', () => {
  const errors: Explanation['errors'] = [
    { rule: 'client_deleted', error: 'unauthorized_client', error_description: 'the client was deleted' },
  ];
  const { last_worked_at: _last, recorded_since: _since, ...rest } = REFUSED;
  expect(explanationText({ ...rest, errors }).split('\n')).toContain(
    'last worked: unknown, the usage of a deleted client is deleted, too',
  );
});
