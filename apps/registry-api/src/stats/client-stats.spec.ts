import { toClientStats } from './client-stats.js';

test('counts of facets add up by state and by warning, counts of spans become groups', () => {
  const facets = [
    { clients: 5, enabled: true, warnings: [] },
    { clients: 3, enabled: true, warnings: ['weak_pkce'] },
    { clients: 2, enabled: false, warnings: ['weak_pkce', 'look_alike_name'] },
    { clients: 1, enabled: true, warnings: null },
  ];
  const secrets = { secrets: 11, used: [0, 2, 2, 2, 3], never: 6, foreign: 4, expiring: [0, 1, 3] };
  const stats = toClientStats(facets, [1, 1, 4, 4, 9], secrets);
  expect(stats).toEqual({
    clients: 11,
    enabled: 9,
    disabled: 2,
    with_warnings: 5,
    warnings: [
      { code: 'weak_pkce', clients: 5 },
      { code: 'look_alike_name', clients: 2 },
    ],
    age: [
      { within_days: 1, count: 1 },
      { within_days: 7, count: 0 },
      { within_days: 30, count: 3 },
      { within_days: 90, count: 0 },
      { within_days: 365, count: 5 },
      { count: 2 },
    ],
    secrets: {
      count: 11,
      last_use: [
        { within_days: 1, count: 0 },
        { within_days: 7, count: 2 },
        { within_days: 30, count: 0 },
        { within_days: 90, count: 0 },
        { within_days: 365, count: 1 },
        { count: 2 },
      ],
      never_used: 6,
      imported_hashes: 4,
      expiring: [
        { within_days: 1, count: 0 },
        { within_days: 7, count: 1 },
        { within_days: 30, count: 3 },
      ],
    },
  });
});
