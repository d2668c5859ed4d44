import { pino } from 'pino';
import { InvalidTokens } from './throttle-invalid-tokens.js';

test('ten invalid tokens are answered, then twenty answers at a time are delayed, and further ones refused', async () => {
  const tokens = new InvalidTokens(pino({ level: 'silent' }));
  const verdicts = Array.from({ length: 34 }, () => {
    const verdict = tokens.note('192.0.2.1', 0);
    if (verdict === 'delay') tokens.delay(() => undefined);
    return verdict;
  });
  const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
  expect([count('answer'), count('delay'), count('refuse')]).toEqual([10, 20, 4]);
  await new Promise<void>((resolve) => tokens.delay(resolve));
  expect(tokens.note('192.0.2.1', 0)).toBe('delay');
  expect(tokens.note('192.0.2.2', 0)).toBe('answer');
});
