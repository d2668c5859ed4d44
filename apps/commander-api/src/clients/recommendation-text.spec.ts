import { recommendationTable, unprovenNote } from './recommendation-text.js';

const RECOMMENDATION = {
  client_id: 'shop',
  kind: 'use_full_match' as const,
  reason: 'all 7 requests have used a registered URI exactly since 2026-10-25',
  request: { method: 'PATCH', path: '/client/shop', body: { redirect_uri_validation_method: 'full_match' } },
};
const DISABLE = {
  ...RECOMMENDATION,
  kind: 'disable' as const,
  request: { method: 'POST', path: '/client/shop/disable' },
};

test('a recommendation is a row with its reason and its request', () => {
  const rows = recommendationTable([RECOMMENDATION, DISABLE]).split('\n');
  expect(rows[0]).toMatch(/^CLIENT_ID +KIND +REASON +REQUEST$/);
  expect(rows[1]).toMatch(
    /^shop +use_full_match +all 7 requests .* PATCH \/client\/shop \{"redirect_uri_validation_method":"full_match"\}$/,
  );
  expect(rows[2]).toMatch(/POST \/client\/shop\/disable$/);
  expect(recommendationTable([])).toBe('no recommendations');
});

test.each([
  [[], 'their history is incomplete'],
  [['2026-11-02'], 'usage of 2026-11-02 is incomplete'],
  [['2026-11-02', '2026-11-05'], 'usage of 2 days from 2026-11-02 to 2026-11-05 is incomplete'],
])('says why nothing is recommended for some Clients: %j', (incompleteDays, cause) => {
  const found = { recommendations: [], examined: 5, unproven: 2, incompleteDays };
  expect(unprovenNote(found)).toBe(`nothing is recommended for 2 of 5 clients: ${cause}`);
});
