import { jest } from '@jest/globals';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DirectoryLibraryStore } from '@svc/directory-store';
import { assembleConfig } from '../../src/config/assemble-config.js';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { parseIni } from '../../src/config/parse-ini.js';
import { LibraryOutcomes } from '../../src/libraries/library-outcomes.js';
import { toLoadRequest } from '../../src/libraries/library-queries.dto.js';
import { runLoad } from '../../src/libraries/run-load.js';
import { ServedLibrary } from '../../src/libraries/served-library.js';
import { makeFolder } from './support/library-folder.js';

const BY = { actor: 'token' } as const;

const LOCK = { id: 'another load', by: 'someone', since: new Date(0).toISOString() };

let folder: string;

beforeEach(async () => {
  folder = await makeFolder({ 'library/a.yaml': 'a: 1\n' });
});
afterEach(async () => rm(folder, { recursive: true }));

async function serveLibrary(settings = `state_path = ${folder}/copies`, isLoaded = true) {
  const text = `[source]\npath = ${folder}/library\n${settings}\n[destination]\nurls = file://${folder}/stored\n`;
  const { config } = assembleConfig(CONFIG_KEYS, [parseIni(text, 'svccmd.conf')], '/');
  const none = (): void => undefined;
  const counts = { setDrift: none, countFailed: jest.fn(), countEnded: none, countUnchanged: none };
  const outcomes = new LibraryOutcomes(counts);
  const logger = { info: none, warn: jest.fn() };
  const audit = { record: jest.fn() };
  const [library] = config.libraries;
  const load = async () => runLoad(library!, toLoadRequest({}), {});
  if (isLoaded) await load();
  const served = new ServedLibrary(library!, logger as never, outcomes, audit as never);
  return { served, load, outcomes, counts, audit, logger };
}

type Served = Awaited<ReturnType<typeof serveLibrary>>;

function expectOnlyRecorded({ outcomes, counts, audit }: Served, reason: string, act = 'rollback'): void {
  expect(outcomes.summary()).toEqual({ state: 'none' });
  expect(counts.countFailed).not.toHaveBeenCalled();
  const entry = expect.objectContaining({ outcome: 'failed', reason }) as object;
  expect(audit.record).toHaveBeenLastCalledWith(`library.${act}`, BY, entry);
}

test('a rollback to a load that does not exist is the caller’s mistake, not a failure of the library', async () => {
  const library = await serveLibrary();
  const rollback = async () => library.served.rollback({ to: 7, dryRun: false, waitMs: 0 }, BY);
  await expect(rollback()).rejects.toThrow(/^no such load to roll back to; known loads: 1 /);
  expectOnlyRecorded(library, 'load_not_found');
});

test('neither is a rollback a failure of the library if another load ends while it waits', async () => {
  const library = await serveLibrary();
  await writeFile(`${folder}/library/a.yaml`, 'a: 2\n');
  await library.load();
  const store = await DirectoryLibraryStore.open({ folder: `${folder}/stored`, path: '/library' });
  const lock = await store.lock(LOCK, 0);
  const rolledBack = library.served.rollback({ dryRun: false, waitMs: 60_000 }, BY);
  const refused = expect(rolledBack).rejects.toThrow(/^load 3 has finished since /);
  await sleep(1_000);
  const manifest = `${folder}/stored/.svccmd/library/manifest`;
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace('"load":2', '"load":3'));
  await lock.release();
  await refused;
  expectOnlyRecorded(library, 'load_overtaken');
});

test('neither is a load while another one runs', async () => {
  const library = await serveLibrary();
  const store = await DirectoryLibraryStore.open({ folder: `${folder}/stored`, path: '/library' });
  const lock = await store.lock(LOCK, 0);
  await expect(library.served.load(toLoadRequest({}), BY)).rejects.toMatchObject({ code: 'library_locked' });
  expectOnlyRecorded(library, 'library_locked', 'load');
  await lock.release();
});

async function expectRefused(library: Served, status: number, reason: string): Promise<void> {
  const rolledBack = library.served.rollback({ to: 1, dryRun: false, waitMs: 0 }, BY);
  await expect(rolledBack).rejects.toMatchObject({ answer: { status } });
  expectOnlyRecorded(library, reason);
}

test('neither is a rollback to a load without a copy, or from a source that is no longer the configured one', async () => {
  const library = await serveLibrary('');
  await expectRefused(library, 404, 'load_not_restorable');
  const path = `${folder}/stored/.svccmd/library/loads/1/record`;
  const record = JSON.parse(await readFile(path, 'utf8')) as object;
  const moved = { ...record, source_kind: 'git', origin: 'git://localhost/former.git' };
  await writeFile(path, JSON.stringify(moved));
  await expectRefused(library, 404, 'load_not_restorable');
});

test('neither is a rollback to a load that was never verified, once only verified ones are accepted', async () => {
  await serveLibrary();
  const signers = `${folder}/allowed_signers`;
  await writeFile(signers, '');
  const library = await serveLibrary(`verify = ssh\nallowed_signers = ${signers}`, false);
  await expectRefused(library, 422, 'unverified_source');
});

test('a push of a revision that an interrupted rollback undoes is not retried', async () => {
  const { served, load, counts, logger } = await serveLibrary();
  await writeFile(`${folder}/library/a.yaml`, 'a: 2\n');
  await load();
  const state = `${folder}/stored/.svccmd/library`;
  const edit = async (from: string, to: string, change: object) => {
    const json = JSON.parse(await readFile(`${state}/${from}`, 'utf8')) as object;
    await writeFile(`${state}/${to}`, JSON.stringify({ ...json, ...change }));
  };
  await mkdir(`${state}/loads/3`);
  await edit('loads/1/record', 'loads/3/record', { load: 3, kind: 'rollback', finished_at: undefined });
  await edit('manifest', 'manifest', { pending: { load: 3, by: 'root', since: 'now', restores: 1 } });
  // The thread that reads sources needs the built server.
  Object.assign(served, { events: {} });
  served.loadForHook('192.0.2.1');
  while (counts.countFailed.mock.calls.length === 0) await sleep(50);
  await sleep(50);
  const reason = expect.stringMatching(/^load 3, a rollback, was interrupted, /) as string;
  expect(logger.warn.mock.calls).toEqual([[{ reason }, 'library load failed']]);
  await served.stop();
});
