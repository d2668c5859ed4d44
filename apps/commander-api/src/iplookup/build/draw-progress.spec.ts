import type { BuildProgress } from '@svc/iplookup-core';
import { drawProgress } from './draw-progress.js';

/** What the terminal has on its line, drawing at the given moments (in milliseconds). */
function linesAt(...moments: readonly (readonly [number, Partial<BuildProgress>])[]): string[] {
  let time = 0;
  const lines: string[] = [];
  const { draw } = drawProgress({ write: (text) => lines.push(text) }, () => time);
  for (const [moment, progress] of moments) {
    time = moment;
    draw({ phase: 'reading', bytesRead: 0, bytesTotal: undefined, rows: 0, ...progress });
  }
  return lines.map((line) => line.replace('\r\u001b[K', ''));
}

test.each([
  ['the share of a file', 50, { bytesRead: 3e6, bytesTotal: 12e6 }, 'reading 3.0 of 12 MB (25 %)'],
  [
    'rows a second and the time left',
    2000,
    { bytesRead: 100e6, bytesTotal: 300e6, rows: 900_000 },
    'reading 100 of 300 MB (33 %), 450,000 rows/s, 4 s left',
  ],
  [
    'minutes',
    10_000,
    { bytesRead: 1e9, bytesTotal: 16e9, rows: 1_000_000 },
    'reading 1000 of 16000 MB (6 %), 100,000 rows/s, 2 min 30 s left',
  ],
  ['an input whose size is not known', 1000, { bytesRead: 3e6, rows: 5 }, 'reading 3.0 MB, 5 rows/s'],
  ['an empty file', 1000, { bytesTotal: 0 }, 'reading 0.0 MB, 0 rows/s'],
  ['the tree', 1000, { phase: 'building', rows: 1234 }, 'building the tree, 1,234 rows'],
  ['the file', 1000, { phase: 'writing', rows: 1234 }, 'writing the file, 1,234 rows'],
] as const)('%s', (_case, moment, progress, line) => {
  expect(linesAt([moment, progress])).toEqual([line]);
});

test('the line is drawn ten times a second at most', () => {
  expect(linesAt([0, {}], [50, {}], [99, {}], [100, {}], [150, {}], [230, {}])).toHaveLength(3);
});
