import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LibrarySource } from '@svc/library-sync';
import type { LibrarySettings } from '../../src/config/commander-config.js';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { assembleConfig } from '../../src/config/assemble-config.js';
import { parseIni } from '../../src/config/parse-ini.js';
import { history, rollback, type RollbackRequest } from '../../src/libraries/library-tasks.js';
import { loadFrom, PLAIN_LOAD, runLoad } from '../../src/libraries/run-load.js';
import { withStore } from '../../src/libraries/shared-store.js';
import { makeFolder, writeFiles } from './support/library-folder.js';

let folder: string;
let config: LibrarySettings;

beforeEach(async () => {
  folder = await makeFolder();
  const ini = `[source]\npath=${folder}/library\nstate_path=${folder}/state\n[destination]\nurls=file://${folder}/stored\npath=/library\n`;
  config = assembleConfig(CONFIG_KEYS, [parseIni(ini, 'svccmd.conf')], '/').config.libraries[0]!;
});
afterEach(async () => rm(folder, { recursive: true }));

const content = async () => readFile(join(folder, 'stored/library/a.csv'), 'utf8');

/** Loads this text; the source, which is read under the lock, delivers it after `ready`. */
async function load(text: string, ready: Promise<unknown> = Promise.resolve(), onRead?: () => void) {
  const source: LibrarySource = {
    name: 'source',
    kind: 'folder',
    origin: 'source',
    revision: async () => text,
    read: async () => {
      onRead?.();
      await ready;
      return { entries: [{ kind: 'file', path: 'a.csv', data: Buffer.from(text) }], revision: text };
    },
  };
  return withStore(config, async (store) => loadFrom(source, store, config, PLAIN_LOAD, {}));
}

/** Interrupts a load of this text, with more files than are written at once. */
async function interrupt(text: string): Promise<void> {
  const interruption = new AbortController();
  const many = Array.from({ length: 450 }, (_, index) => [`many${index}.csv`, text] as const);
  const files = Object.fromEntries([['a.csv', text], ...many]);
  const events = {
    signal: interruption.signal,
    onProgress: ({ done = 0 }) => {
      if (done > 0) interruption.abort();
    },
  };
  await writeFiles(join(folder, 'library'), files);
  await expect(runLoad(config, PLAIN_LOAD, events)).rejects.toThrow(/^the load was interrupted after/);
}

/** Loads texts from 1 to this from a folder. */
async function loadFolder(count: number): Promise<void> {
  for (let text = 1; text <= count; text += 1) {
    await writeFiles(join(folder, 'library'), { 'a.csv': `${text}` });
    await runLoad(config, PLAIN_LOAD, {});
  }
}

test.each([1, 2])(
  'after %i loads and an interrupted one, a rollback restores the last that finished, once',
  async (count) => {
    await loadFolder(count);
    await interrupt('bad');
    const last = { dryRun: false, waitMs: 0 };
    await expect(rollback(config, { ...last, steps: count + 1 }, {})).rejects.toThrow(/^no such load/);
    expect(await rollback(config, last, {})).toMatchObject({ completed: count + 1 });
    expect(await readdir(join(folder, 'stored/library'))).toEqual(['.version.yaml', 'a.csv']);
    expect(await content()).toBe(`${count}`);
    expect(await runLoad(config, { ...PLAIN_LOAD, ifChanged: true }, {})).toMatchObject({ skipped: true });
  },
);

const recordOf = (load: number) => join(folder, `stored/.svccmd/library/loads/${load}/record`);

test('a load cut off after its record and before the manifest counts as interrupted, and is not in the history', async () => {
  await loadFolder(2);
  await interrupt('bad');
  const record = JSON.parse(await readFile(recordOf(3), 'utf8')) as object;
  await writeFile(recordOf(3), JSON.stringify({ ...record, finished_at: new Date().toISOString() }));
  expect((await history(config)).map(({ load: number }) => number)).toEqual([2, 1]);
  const last = { dryRun: false, waitMs: 0 };
  await expect(rollback(config, { ...last, to: 3 }, {})).rejects.toThrow(/^no such load .*: 2, 1 /);
  expect(await rollback(config, last, {})).toMatchObject({ completed: 3 });
  expect(await content()).toBe('2');
  expect((await history(config)).map(({ load: number }) => number)).toEqual([4, 2, 1]);
});

test.each([
  ['goes back to the load before it', 0, '2'],
  ['does not go further back, after an interrupted load', 1, '3'],
])('without the record of the last finished load, a rollback %s', async (_, interruptions, result) => {
  await loadFolder(3);
  if (interruptions > 0) await interrupt('bad');
  await rm(recordOf(3));
  const outcome = await rollback(config, { dryRun: false, waitMs: 0 }, {}).catch((error: Error) => error);
  if (interruptions > 0) {
    expect(outcome).toMatchObject({
      message:
        'the record of load 3, the last finished one, is missing; restore another one with --to; known loads: 2, 1 (see svccmd library history)',
    });
  }
  expect(await content()).toBe(result);
});

/** Starts a rollback while another load is running, which ends once the rollback waits for it. */
async function rollBackDuring(text: string, request: Pick<RollbackRequest, 'to' | 'steps'>) {
  const end = new EventTarget();
  const reading = new EventTarget();
  const isReading = once(reading, 'read');
  const running = load(text, once(end, 'end'), () => reading.dispatchEvent(new Event('read')));
  await isReading;
  const onProgress = ({ phase }: { readonly phase: string }) => {
    if (phase === 'waiting') setTimeout(() => end.dispatchEvent(new Event('end')), 50);
  };
  const rolled = rollback(config, { ...request, dryRun: false, waitMs: 60_000 }, { onProgress });
  const outcome = await rolled.catch((error: unknown) => error);
  await running;
  return outcome;
}

test('a rollback fails if another load finishes while it waits, since it would drop a load that it did not choose', async () => {
  for (const text of ['1', '2']) await load(text);
  const outcome = await rollBackDuring('3', { steps: 1 });
  expect(outcome).toMatchObject({
    message:
      'load 3 has finished since the load to restore was chosen, and nothing was written; see svccmd library history, and choose again',
  });
  expect(await content()).toBe('3');
  expect(await rollback(config, { dryRun: false, waitMs: 0 }, {})).toMatchObject({ load: 4 });
  expect(await content()).toBe('2');
});

test('of two rollbacks at once, one is made', async () => {
  for (const text of ['1', '2', '3']) await load(text);
  const request = { dryRun: false, waitMs: 60_000 };
  const outcomes = await Promise.allSettled([rollback(config, request, {}), rollback(config, request, {})]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await content()).toBe('2');
});

test('a rollback to a load by its number waits for another load, and is made', async () => {
  for (const text of ['1', '2']) await load(text);
  expect(await rollBackDuring('3', { to: 1 })).toMatchObject({ load: 4 });
  expect(await content()).toBe('1');
});
