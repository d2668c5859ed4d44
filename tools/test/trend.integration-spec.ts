import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../drills/parts/trend.mjs', import.meta.url));

/** @param values one each ten seconds */
function trendOf(values: readonly number[]): { mean: number; growth: number } {
  const points = values.map((value, index) => ({ at: index * 10, value }));
  const program = `import { trendOf } from '${MODULE}'; console.log(JSON.stringify(trendOf(${JSON.stringify(points)})));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  ) as { mean: number; growth: number };
}

test('what grows to the end is found out, however it goes up and down', () => {
  const sawTooth = (index: number) => (index % 5) * 4;
  const leaking = Array.from({ length: 60 }, (_, index) => 100 + index + sawTooth(index));
  expect(trendOf(leaking).growth).toBeGreaterThan(35);
  const steady = Array.from({ length: 60 }, (_, index) => 100 + sawTooth(index));
  expect(Math.abs(trendOf(steady).growth)).toBeLessThan(3);
});

test('warming up in the first third is no growth', () => {
  const warming = Array.from({ length: 60 }, (_, index) => 100 + Math.min(index, 20) * 5);
  expect(trendOf(warming)).toEqual({ mean: 200, growth: 0 });
});
