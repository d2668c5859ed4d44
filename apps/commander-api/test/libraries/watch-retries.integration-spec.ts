import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WatchEvent } from '@svc/library-sync';
import { CONFIG_KEYS } from '../../src/config/config-keys.js';
import { assembleConfig } from '../../src/config/assemble-config.js';
import { parseIni } from '../../src/config/parse-ini.js';
import { watch } from '../../src/libraries/library-tasks.js';
import { makeFolder } from './support/library-folder.js';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder({ 'library/a.yaml': 'lookup: sites\n' });
});
afterEach(async () => rm(folder, { recursive: true }));

/** Watches with a rule until `onEvent` returns true. */
async function watchWith(
  rule: string,
  onEvent: (event: WatchEvent) => Promise<boolean> | boolean,
): Promise<void> {
  const ini = `[source]\npath=${folder}/library\n[destination]\nurls=file://${folder}/stored\n[iplookup]\ndestination_path=${folder}/lookups\n[validate]\n${rule}\n`;
  const { config, errors } = assembleConfig(CONFIG_KEYS, [parseIni(ini, 'svccmd.conf')], '/');
  expect(errors).toEqual([]);
  const end = new AbortController();
  await watch(config.libraries[0]!, 10, { signal: end.signal }, (event) => {
    void Promise.resolve(onEvent(event)).then((isLast) => isLast && end.abort());
  });
}

test('a watch continues after the folder of built lookups could not be listed', async () => {
  const lookups = join(folder, 'lookups');
  await writeFile(lookups, 'not a folder');
  const kinds: string[] = [];
  await watchWith('lookups = lookup', async (event) => {
    kinds.push(event.kind === 'failed' ? event.error.message : event.kind);
    if (kinds.length === 1) {
      await rm(lookups);
      await mkdir(lookups);
      await writeFile(join(lookups, 'sites.mmdb'), '');
    }
    return event.kind === 'loaded';
  });
  expect(kinds[0]).toBe(`validate.lookups: cannot list iplookup.destination_path ${lookups} (ENOTDIR)`);
  expect(kinds.at(-1)).toBe('loaded');
});

test('a watch ends if a schema does not exist', async () => {
  await expect(watchWith(`schemas = *.yaml: ${folder}/none.json`, () => false)).rejects.toThrow(
    `validate.schemas: cannot read the schema ${folder}/none.json (ENOENT)`,
  );
});

test('a failed load has the code of its error', async () => {
  await rm(join(folder, 'library'), { recursive: true });
  await writeFile(join(folder, 'library'), 'not a folder');
  const failures: unknown[] = [];
  await watchWith('lookups = lookup', (event) => event.kind === 'failed' && failures.push(event.error) === 1);
  expect(failures[0]).toMatchObject({
    code: 'source_unreachable',
    message: expect.stringMatching(/is not a folder$/) as string,
  });
});
