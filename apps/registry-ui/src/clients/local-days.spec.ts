import { dayOf, describeInstant, startOfDay } from './local-days.js';

const midnight = new Date(2026, 10, 21);

test('a day begins at the midnight of the reader', () => {
  expect(Date.parse(startOfDay('2026-11-21') ?? '')).toBe(midnight.getTime());
  expect(dayOf(startOfDay('2026-11-21') ?? '')).toBe('2026-11-21');
});

test.each(['', '0020-11-21', '1969-12-30', '2026-13-01'])('%j is no day to filter by', (day) => {
  expect(startOfDay(day)).toBeUndefined();
});

test('an instant is told as a day where it begins one, else with its time; what is none stays', () => {
  expect(describeInstant(midnight.toISOString())).toBe('Nov 21, 2026');
  expect(describeInstant(new Date(2026, 10, 21, 8, 30).toISOString())).toMatch(/^Nov 21, 2026, 8:30:00/);
  expect(describeInstant('soon')).toBe('soon');
});
