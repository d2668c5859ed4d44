import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentHash, type Library, type LoadRecord } from '@svc/library-sync';
import { LoadCopies } from '../src/index.js';

let state: string;
let copies: LoadCopies;

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'svc-copies-'));
  copies = new LoadCopies(state, 'destination');
});
afterEach(async () => rm(state, { recursive: true }));

function libraryOf(text: string, folders: readonly string[] = []): Library & { readonly hash: string } {
  const data = Buffer.from(text);
  const hash = contentHash(data);
  return { hash, folders: new Set(folders), files: new Map([['a.yaml', { data, hash }]]) };
}

async function restored(load: number, { files, folders }: Library): Promise<unknown> {
  const record: LoadRecord = {
    ...{ load, source: 'x', source_kind: 'folder', origin: 'x', revision: 'r', by: 'root' },
    ...{ started_at: '', files: files.size, bytes: 0, parts: 1 },
  };
  const paths = new Map([...files].map(([path, { hash }]) => [path, hash]));
  for (const folder of folders) paths.set(`${folder}/`, '');
  const { entries } = await copies.source(record, paths).read(() => () => true);
  return entries;
}

test('a content that a power loss has shortened is written again by the next load that has it', async () => {
  const library = libraryOf('a: 1\n');
  await copies.keep(1, library);
  await truncate(join(state, 'contents', library.hash));
  await expect(restored(1, library)).rejects.toThrow(/no copy of load 1 is kept in .* \(it is damaged\)/);
  await copies.keep(2, library);
  const expected = [{ kind: 'file', path: 'a.yaml', data: Buffer.from('a: 1\n') }];
  expect(await restored(2, library)).toEqual(expected);
  expect(await restored(1, library)).toEqual(expected);
});

test('the damaged list of another copy does not keep old copies from being removed', async () => {
  const other = join(state, 'loads', 'other');
  await mkdir(other, { recursive: true });
  await writeFile(join(other, '1.json'), '');
  await writeFile(join(other, '2.json'), '{"folders":[],"fi');
  for (let load = 1; load <= 12; load += 1) await copies.keep(load, libraryOf(`${load}`));
  expect(await readdir(join(state, 'contents'))).toHaveLength(10);
});

describe('of another destination', () => {
  const copiesOf = (destination: string) => new LoadCopies(state, destination);

  test('a copy is put back only if it is what the load wrote', async () => {
    const library = libraryOf('1', ['empty']);
    await copiesOf('other').keep(1, libraryOf('2'));
    await copiesOf('second').keep(1, libraryOf('1'));
    await copiesOf('former').keep(1, library);
    expect(await restored(1, library)).toContainEqual({ kind: 'folder', path: 'empty' });
    await copies.keep(1, libraryOf('damaged'));
    expect(await restored(1, library)).toHaveLength(2);
    await expect(restored(1, libraryOf('3'))).rejects.toThrow(/\(it is damaged\)/);
    await expect(restored(2, library)).rejects.toThrow(/\(ENOENT\)/);
  });

  test('copies stay when old ones are removed', async () => {
    await copiesOf('other').keep(1, libraryOf('other'));
    for (let load = 1; load <= 12; load += 1) await copies.keep(load, libraryOf(`${load}`));
    expect(await restored(1, libraryOf('other'))).toHaveLength(1);
  });
});
