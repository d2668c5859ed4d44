import { dayOf, describeInstant, startOfDay } from './local-days.js';

const midnight = new Date(2026, 10, 21);

test('a day starts at local midnight', () => {
  expect(Date.parse(startOfDay('2026-11-21') ?? '')).toBe(midnight.getTime());
  expect(dayOf(startOfDay('2026-11-21') ?? '')).toBe('2026-11-21');
});

test.each(['', '0020-11-21', '1969-12-30', '2026-13-01'])('%j is not a date to filter by', (day) => {
  expect(startOfDay(day)).toBeUndefined();
});

test('an instant at local midnight is shown as a date, others with their time, invalid ones as they are', () => {
  expect(describeInstant(midnight.toISOString())).toBe('Nov 21, 2026');
  expect(describeInstant(new Date(2026, 10, 21, 8, 30).toISOString())).toMatch(/^Nov 21, 2026, 8:30:00/);
  expect(describeInstant('soon')).toBe('soon');
});
