import { jest } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { assembleConfig } from '../../src/config/assemble-config.js';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { parseIni } from '../../src/config/parse-ini.js';
import { LibraryOutcomes } from '../../src/libraries/library-outcomes.js';
import { toLoadRequest } from '../../src/libraries/library-queries.dto.js';
import { runLoad } from '../../src/libraries/run-load.js';
import { ServedLibrary } from '../../src/libraries/served-library.js';
import { makeFolder } from './support/library-folder.js';

const BY = { actor: 'token' } as const;

test('a rollback to a load that does not exist is the caller’s mistake, not a failure of the library', async () => {
  const folder = await makeFolder({ 'library/a.yaml': 'a: 1\n' });
  const text = `[source]\npath = ${folder}/library\n[destination]\nurls = file://${folder}/stored\n`;
  const { config } = assembleConfig(CONFIG_KEYS, [parseIni(text, 'svccmd.conf')], '/');
  const none = (): void => undefined;
  const counts = { setDrift: none, countFailed: jest.fn(), countEnded: none, countUnchanged: none };
  const outcomes = new LibraryOutcomes(counts);
  const logger = { info: () => undefined, warn: () => undefined };
  const audit = { record: jest.fn() };
  const library = new ServedLibrary(config.libraries[0]!, logger as never, outcomes, audit as never);
  await runLoad(config.libraries[0]!, toLoadRequest({}), {});
  const rollback = async () => library.rollback({ to: 7, dryRun: false, waitMs: 0 }, BY);
  await expect(rollback()).rejects.toThrow(/^no such load to roll back to; known loads: 1 /);
  expect(outcomes.summary()).toEqual({ state: 'none' });
  expect(counts.countFailed).not.toHaveBeenCalled();
  expect(audit.record).toHaveBeenLastCalledWith(
    'library.rollback',
    BY,
    expect.objectContaining({ outcome: 'failed', reason: 'load_not_found' }),
  );
  await rm(folder, { recursive: true });
});
