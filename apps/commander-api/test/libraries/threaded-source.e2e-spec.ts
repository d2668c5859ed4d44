import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openSource } from '@svc/library-source';
import { bytesOf, contentHash, readAndCheck, type ReadingOptions, type ReadLibrary } from '@svc/library-sync';
import { GitRepository, startGitServer } from '@svc/test-servers';
// The build's: a thread needs a file that Node can run.
import { ThreadedSource } from '../../compiled/libraries/threaded-source.js';

const OPTIONS: ReadingOptions = {
  names: 'library',
  allowEmpty: false,
  maxBytes: 512 << 20,
  versionNode: '.version.yaml',
  exclude: ['*.bak'],
};

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'svc-threaded-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** With hashes of the contents as they can be read now. */
const shown = ({ library: { folders, files }, problems, revision }: ReadLibrary) => ({
  revision,
  problems,
  folders: [...folders].sort(),
  files: [...files]
    .map(([path, { hash, data }]) => [path, hash, contentHash(bytesOf(data)), data.length])
    .sort(),
});

test('the thread reads the same as a reader in this thread', async () => {
  for (let index = 0; index < 1_100; index += 1)
    write(`Parsers/f${index % 7}/p${index}.yaml`, `id: ${index}\n`);
  for (let index = 0; index < 4; index += 1)
    write(`Lookups/big${index}.csv`, Buffer.alloc(500_000, `${index},`));
  write('Parsers/wrong.yaml', 'a: 1\na: 2\n');
  write('Parsers/empty.csv', '');
  write('Parsers/old.bak', 'x');
  write('.hidden/x.yaml', 'x');
  mkdirSync(join(folder, 'Empty'));
  const source = { address: folder, exclude: OPTIONS.exclude };
  const expected = await readAndCheck(openSource(source), OPTIONS, {});
  const phases: string[] = [];
  const read = await new ThreadedSource(source).readChecked(OPTIONS, {
    onProgress: ({ phase }) => phases.push(phase),
  });
  expect(shown(read)).toEqual(shown(expected));
  expect(read.library.files.size).toBe(1_106);
  expect(read.problems.map(({ code }) => code).sort()).toEqual(['dot-name', 'yaml-duplicate-key']);
  expect(phases).toEqual(['reading', 'checking']);
  expect(await new ThreadedSource(source).revision()).toBe(expected.revision);
});

async function inRepository(use: (address: string) => Promise<void>): Promise<void> {
  const repository = await GitRepository.create();
  const names = readdirSync(folder);
  await repository.commit(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])));
  const server = await startGitServer({ root: repository.root });
  await use(`git://${server.address}/library.git`).finally(async () => {
    await server.stop();
    await repository.remove();
  });
}

test.each([
  ['folder', async (use: (address: string) => Promise<void>) => use(folder)],
  ['repository', inRepository],
])(
  'the thread leaves the contents of a large %s in a file, which is closed with the source',
  async (_kind, withSource) => {
    for (let index = 0; index < 50; index += 1) write(`big${index}.csv`, Buffer.alloc(900_000, `${index},`));
    await withSource(async (address) => {
      const own = openSource({ address });
      const expected = shown(await readAndCheck(own, OPTIONS, {}));
      own.release?.();
      const source = new ThreadedSource({ address });
      const read = await source.readChecked(OPTIONS, {});
      expect([...read.library.files.values()].filter(({ data }) => 'read' in data).length).toBeGreaterThan(
        10,
      );
      expect(shown(read)).toEqual(expected);
      const before = unnamedFiles();
      source.release();
      expect(unnamedFiles()).toBe(before - 1);
    });
  },
);

/** Open temporary files of contents. */
const unnamedFiles = (): number =>
  readdirSync('/proc/self/fd').filter((name) => linkOf(name).includes('svccmd-contents-')).length;

function linkOf(name: string): string {
  try {
    return readlinkSync(join('/proc/self/fd', name));
  } catch {
    return '';
  }
}

test('files that passed before are not parsed again in the thread either', async () => {
  write('wrong.yaml', 'a: 1\na: 2\n');
  const source = new ThreadedSource({ address: folder });
  const { library } = await source.readChecked(OPTIONS, {});
  const passed = new Map([...library.files].map(([path, { hash }]) => [path, hash]));
  expect((await source.readChecked(OPTIONS, { passed: async () => passed })).problems).toEqual([]);
});

test('a source that cannot be read says so as it does without a thread', async () => {
  await expect(
    new ThreadedSource({ address: join(folder, 'none') }).readChecked(OPTIONS, {}),
  ).rejects.toMatchObject({
    name: 'SourceUnreachableError',
    message: `cannot read the source ${join(folder, 'none')} (ENOENT)`,
  });
});

test('an error at the destination ends the read', async () => {
  write('a.yaml', 'a: 1\n');
  const refused = new Error('the destination is away');
  const passed = async (): Promise<never> => Promise.reject(refused);
  await expect(new ThreadedSource({ address: folder }).readChecked(OPTIONS, { passed })).rejects.toBe(
    refused,
  );
});

describe('a git server that never answers', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each(['revision', 'readChecked'] as const)('%s ends when aborted', async (what) => {
    const { port } = server.address() as AddressInfo;
    const source = new ThreadedSource({ address: `git://me:token@127.0.0.1:${port}/x.git` });
    const abort = new AbortController();
    const asked = once(server, 'request');
    const { signal } = abort;
    const running = what === 'revision' ? source.revision(signal) : source.readChecked(OPTIONS, { signal });
    await asked;
    abort.abort(new Error('told to'));
    await expect(running).rejects.toThrow('told to');
  });
});
