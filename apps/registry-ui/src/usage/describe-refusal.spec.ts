import { describeRefusal } from './describe-refusal.js';

const at = (hour: number, minute: number, day = 24) => new Date(2026, 10, day, hour, minute);
const refusal = (overrides: object) => ({
  rule: 'no_match',
  count: 41,
  first_at: at(9, 12).toISOString(),
  last_at: at(10, 0).toISOString(),
  ...overrides,
});

test.each([
  [{ difference: 'a slash at the end' }, /^41 since 9:12.AM: a slash at the end$/],
  [{ first_at: at(9, 12, 23).toISOString() }, /^41 since Nov 23, 2026: no registered redirect URI matches$/],
  [{ rule: 'some_new_rule', count: 1_200 }, /^1,200 since 9:12.AM: some new rule$/],
])('%j reads %s', (overrides, expected) => {
  expect(describeRefusal(refusal(overrides), at(12, 0))).toMatch(expected);
});
