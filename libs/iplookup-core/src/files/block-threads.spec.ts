import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlockTask } from './block-worker.js';
import { scanBlocks } from './block-threads.js';
import { loadScan } from './load-scan.js';

const ROWS = 2000;
const text = Array.from({ length: ROWS }, (_, row) => `${row},${row},"value ${row % 7}"\n`).join('');

/** Scans the file in blocks of 1 KiB by two threads. */
async function scan(changes: Partial<BlockTask>): Promise<{ scanner: number; from: number; rows: number }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'block-threads-'));
  const path = join(folder, 'input.csv');
  await writeFile(path, text);
  const file = await open(path);
  try {
    const format = { name: 'ipv4-int', width: 1, separator: 44 } as const;
    const sizes = { block: 1024, lookAhead: 100 };
    const task = { descriptor: file.fd, program: loadScan()!, format, sizes, ...changes };
    const found = [];
    for await (const { scanner, runs } of scanBlocks(task, 2, 0, text.length)) {
      const rows = runs.reduce((sum, run) => sum + run.rows.length / 4, 0);
      found.push({ scanner, from: runs[0]?.start ?? -1, rows });
    }
    return found;
  } finally {
    await file.close();
    await rm(folder, { recursive: true });
  }
}

test('threads find all rows, each in one block, and the blocks come in order', async () => {
  const blocks = await scan({});
  expect(blocks).toHaveLength(Math.ceil(text.length / 1024));
  expect(blocks.map(({ scanner }) => scanner)).toEqual(blocks.map((_, block) => block % 2));
  expect(blocks.map(({ from }) => from)).toEqual(blocks.map(({ from }) => from).toSorted((a, b) => a - b));
  expect(blocks.reduce((sum, { rows }) => sum + rows, 0)).toBe(ROWS);
});

test('blocks of threads that fail have no rows', async () => {
  const blocks = await scan({ descriptor: 1_000_000 });
  expect(blocks).toHaveLength(Math.ceil(text.length / 1024));
  expect(blocks.every(({ rows }) => rows === 0)).toBe(true);
});
