import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifest } from './lookup-manifest.js';
import { swapLookup } from './swap-lookup.js';

const folder = mkdtempSync(join(tmpdir(), 'iplookup-swap-'));
afterAll(() => rmSync(folder, { recursive: true }));
const history = join(folder, '.history', 'a.mmdb');

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const swap = async (text: string, note: string, signal?: AbortSignal) =>
  swapLookup(
    join(folder, 'a.mmdb'),
    (async function* () {
      yield Buffer.from(text);
    })(),
    {
      lookup: 'a',
      gzip: false,
      keepVersions: 1,
      describe: async () => ({ file: 'a.mmdb', sha256: sha256(text), note, guards: [] }),
      signal,
    },
  );

/** Stops a swap at its last moment: when the manifest has this note. */
function stopAfter(text: string, note: string): AbortSignal {
  const manifest = join(history, `${sha256(text)}.json`);
  const { signal } = new AbortController();
  signal.throwIfAborted = () => {
    if (existsSync(manifest) && readFileSync(manifest, 'utf8').includes(note)) throw new Error('stopped');
  };
  return signal;
}

test('however often a build fails at the end, the lookup that stays keeps its manifest', async () => {
  await swap('first', 'built first');
  // The last one has the same content.
  for (const text of [...Array.from({ length: 9 }, (_, index) => `later ${index}`), 'first'])
    await expect(swap(text, 'failed', stopAfter(text, 'failed'))).rejects.toThrow('stopped');
  expect(await readManifest(join(folder, 'a.mmdb'))).toMatchObject({ note: 'built first' });
  expect(readdirSync(history).filter((name) => name.endsWith('.json'))).toHaveLength(1);
});

test('manifests of former lookups are deleted after a while', async () => {
  for (let index = 0; index < 11; index++) await swap(`next ${index}`, `built ${index}`);
  expect(await readManifest(join(folder, 'a.mmdb'))).toMatchObject({ note: 'built 10' });
  expect(readdirSync(history).filter((name) => name.endsWith('.json'))).toHaveLength(9);
});
