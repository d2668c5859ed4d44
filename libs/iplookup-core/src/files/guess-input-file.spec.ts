import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LookupInputError } from '../build/input-violations.js';
import { guessInputFile } from './guess-input-file.js';

const MIB = 1 << 20;

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'guess-input-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function guess(text: string) {
  const path = join(folder, 'input.csv');
  writeFileSync(path, text);
  return guessInputFile(path);
}

test('of a large file, the last row of the sample may be incomplete', async () => {
  const row = `10.0.0.0/8,"${'a\n'.repeat(500)}",x\n`;
  const { options, columns, rows } = await guess(`network,note,v\n${row.repeat((2 * MIB) / row.length)}`);
  expect([options, columns]).toEqual([{ inputFormat: 'cidr' }, ['note', 'v']]);
  expect(rows).toBeGreaterThan(MIB / row.length - 2);
});

test('but not a row before it', async () => {
  const rows = '10.0.0.0/8,x\n'.repeat(MIB / 10);
  await expect(guess(`network,v\n10.0.0.0/8,x\n11.0.0.0/8,"x"y\n${rows}`)).rejects.toThrow(
    'text follows a closing quote',
  );
});

test.each([MIB / 2, 2 * MIB])('a file of %d bytes whose lines end with carriage returns', async (size) => {
  const text = `network,v\r${'10.0.0.0/8,x\r'.repeat(size / 13)}`;
  await expect(guess(text)).rejects.toThrow(LookupInputError);
  await expect(guess(text)).rejects.toThrow('has a line break that is only a carriage return: save the file');
});
