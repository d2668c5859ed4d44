import { readdirSync } from 'node:fs';
import { bytesOf } from '@svc/library-sync';
import { GitRepository, type GitServer, startGitServer } from '@svc/test-servers';
import { openSource } from '../src/index.js';

const FILES = 50;
/** All together, more than stays in memory. */
const FILE_BYTES = 900_000;

let repository: GitRepository;
let server: GitServer;

beforeAll(async () => {
  repository = await GitRepository.create();
  const files = Array.from({ length: FILES }, (_, index) => [`${index}.csv`, contentOf(index)] as const);
  await repository.commit(Object.fromEntries(files));
  server = await startGitServer({ root: repository.root });
}, 180_000);

afterAll(async () => {
  await server.stop();
  await repository.remove();
});

const contentOf = (index: number): string => `${index},`.padEnd(FILE_BYTES, `${index},`);

const openFiles = (): number => readdirSync('/proc/self/fd').length;

// With an exclusion, files are fetched after the folders.
test.each([
  ['whole', []],
  ['in part', ['0.csv']],
])(
  'contents of a large repository, read %s, are not all kept in memory, and are freed',
  async (_how, exclude) => {
    const source = openSource({ address: `git://${server.address}/library.git`, exclude });
    const { entries } = await source.read(() => (path) => !exclude.includes(path));
    const contents = entries.map((entry) => (entry.kind === 'file' ? entry.data : undefined)!);
    expect(contents).toHaveLength(FILES - exclude.length);
    expect(contents.filter((content) => 'read' in content).length).toBeGreaterThan(10);
    for (const [index, { path }] of entries.entries()) {
      const expected = Buffer.from(contentOf(Number.parseInt(path, 10)));
      expect(expected.equals(bytesOf(contents[index]!))).toBe(true);
    }
    const before = openFiles();
    source.release?.();
    expect(() => contents.map(bytesOf)).toThrow('released');
    expect(openFiles()).toBeLessThan(before);
  },
  180_000,
);
