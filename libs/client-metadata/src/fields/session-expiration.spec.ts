import fc from 'fast-check';
import { MAX_SESSION_SECONDS, parseSessionExpiration } from './session-expiration.js';

const TEN_YEARS = 315_360_000;

test.each([
  [1, 1],
  [3600, 3600],
  [1.5, 1.5],
  [TEN_YEARS, TEN_YEARS],
  ['3600', 3600],
  ['1 s', 1],
  ['5 m', 300],
  ['5m', 300],
  ['1.5 h', 5400],
  ['1.1 m', 66],
  ['2 d', 172_800],
  ['1 w', 604_800],
  ['1 y', 31_536_000],
  ['10 y', TEN_YEARS],
  ['1 second', 1],
  ['90 seconds', 90],
  ['1 minute', 60],
  ['2 minutes', 120],
  ['1 hour', 3600],
  ['12 hours', 43_200],
  ['1 day', 86_400],
  ['7 days', 604_800],
  ['1 week', 604_800],
  ['2 weeks', 1_209_600],
  ['1 year', 31_536_000],
  ['3 years', 94_608_000],
  ['0.5 m', 30],
])('%j is %d seconds', (value, seconds) => {
  expect(parseSessionExpiration(value)).toBe(seconds);
});

test.each([
  ['duration', Number.NaN],
  ['duration', null],
  ['duration', undefined],
  ['duration', true],
  ['duration', []],
  ['duration', {}],
  ['duration', 60n],
  ['duration', ''],
  ['duration', ' '],
  ['duration', 'm'],
  ['duration', 'NaN'],
  ['duration', 'Infinity'],
  ['duration', '1e3'],
  ['duration', '0x10'],
  ['duration', '-5 m'],
  ['duration', '+5 m'],
  ['duration', '5 months'],
  ['duration', '5 M'],
  ['duration', '5  m'],
  ['duration', ' 5 m'],
  ['duration', '5 m '],
  ['duration', '5 m\n'],
  ['duration', '5,5 m'],
  ['duration', '.5 h'],
  ['duration', '5. h'],
  ['duration', '1 h 30 m'],
  ['duration', '٥ m'],
  ['duration', '5 constructor'],
  ['duration', `${'9'.repeat(400)} s`],
  ['duration_too_short', 0],
  ['duration_too_short', -0],
  ['duration_too_short', 0.999],
  ['duration_too_short', -3600],
  ['duration_too_short', Number.NEGATIVE_INFINITY],
  ['duration_too_short', '0 s'],
  ['duration_too_short', '0.001 m'],
  ['duration_too_long', TEN_YEARS + 1],
  ['duration_too_long', JSON.parse('1e309') as number],
  ['duration_too_long', '3651 d'],
  ['duration_too_long', '11 years'],
])('%s refuses %p', (code, value) => {
  expect(parseSessionExpiration(value)).toMatchObject({ code });
});

test.each([
  [
    '5 fortnights',
    'duration',
    'must be a number of seconds, or a number and a unit as in 12h; units: s, m (minute), h, d, w, y (365 days), or their full names',
  ],
  [0.999, 'duration_too_short', 'must be at least 1 second'],
  ['11 y', 'duration_too_long', 'must be at most 10 years (315360000 seconds)'],
])('%j is rejected with %s', (value, code, message) => {
  expect(parseSessionExpiration(value)).toEqual({ code, message });
});

test('any input yields a violation or a value within the limits', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.anything(), fc.double(), fc.stringMatching(/^[0-9.]{1,6} ?[a-z]{0,7}$/)),
      (value) => {
        const outcome = parseSessionExpiration(value);
        if (typeof outcome === 'object') expect(outcome.message).toMatch(/^must be /);
        else expect(outcome >= 1 && outcome <= MAX_SESSION_SECONDS).toBe(true);
      },
    ),
  );
});
