import { randomBytes, randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WatchEvent } from '@svc/library-sync';
import { startZookeeper, type ZookeeperServer } from '@svc/test-servers';
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

interface WatchSettings {
  /** Lines of the section `validate`, and of those after it. */
  readonly rules?: string;
  /** Lines of the section `destination`. */
  readonly destination?: string;
  /** Where copies are kept. */
  readonly state?: string;
  readonly keepsTrying?: boolean;
}

/** Watches with these settings until `onEvent` returns true. */
async function watchWith(
  {
    rules = '',
    destination = `urls=file://${folder}/stored`,
    state = `${folder}/state`,
    keepsTrying = false,
  }: WatchSettings,
  onEvent: (event: WatchEvent) => Promise<boolean> | boolean,
): Promise<void> {
  const ini = `[source]\npath=${folder}/library\nstate_path=${state}\n[destination]\n${destination}\n[iplookup]\ndestination_path=${folder}/lookups\n[validate]\n${rules}\n`;
  const { config, errors } = assembleConfig(CONFIG_KEYS, [parseIni(ini, 'svccmd.conf')], '/');
  expect(errors).toEqual([]);
  const end = new AbortController();
  await watch(config.libraries[0]!, 10, { signal: end.signal, keepsTrying }, (event) => {
    void Promise.resolve(onEvent(event)).then((isLast) => isLast && end.abort());
  });
}

/** The outcomes of a watch: messages of failures, kinds of others. @param mend called after the first failure */
async function outcomesOf(settings: WatchSettings, mend: () => Promise<unknown>): Promise<string[]> {
  const outcomes: string[] = [];
  await watchWith(settings, async (event) => {
    outcomes.push(event.kind === 'failed' ? event.error.message : event.kind);
    if (event.kind === 'failed' && outcomes.length === 1) await mend();
    return event.kind === 'loaded';
  });
  return outcomes;
}

test('a watch continues after the folder of built lookups could not be listed', async () => {
  const lookups = join(folder, 'lookups');
  await writeFile(lookups, 'not a folder');
  const outcomes = await outcomesOf({ rules: 'lookups = lookup' }, async () => {
    await rm(lookups);
    await mkdir(lookups);
    await writeFile(join(lookups, 'sites.mmdb'), '');
  });
  expect(outcomes[0]).toBe(`validate.lookups: cannot list iplookup.destination_path ${lookups} (ENOTDIR)`);
  expect(outcomes.at(-1)).toBe('loaded');
});

test('a watch loads a revision that was invalid once the lookup that it names is built', async () => {
  const lookups = join(folder, 'lookups');
  const outcomes = await outcomesOf({ rules: 'lookups = lookup' }, async () => {
    await mkdir(lookups);
    await writeFile(join(lookups, 'sites.mmdb'), '');
  });
  expect(outcomes[0]).toMatch(/^the library has 1 error; nothing was written:\na\.yaml:1:.*sites/);
  expect(outcomes.at(-1)).toBe('loaded');
});

test('a watch continues after the command that prints the key has failed', async () => {
  const key = join(folder, 'key');
  const rules = `sealed = *password*\n[pwdencryptor]\nkey_command = cat ${key}`;
  const outcomes = await outcomesOf({ rules }, async () => writeFile(key, randomBytes(32)));
  expect(outcomes[0]).toMatch(/^pwdencryptor\.key_command .*exited with 1; run it yourself to see why$/);
  expect(outcomes.at(-1)).toBe('loaded');
});

test('a watch continues after the patterns that exclude the copies have been missing', async () => {
  const outcomes = await outcomesOf({ state: join(folder, 'library/copies') }, async () =>
    writeFile(join(folder, 'library/.libraryignore'), 'copies/\n'),
  );
  expect(outcomes[0]).toMatch(/^source\.state_path: \S+ is inside the source /);
  expect(outcomes.at(-1)).toBe('loaded');
});

describe('with TLS to ZooKeeper', () => {
  let zookeeper: ZookeeperServer;
  let destination: string;

  beforeAll(async () => {
    zookeeper = await startZookeeper({ tls: true });
  });
  afterAll(async () => zookeeper.stop());

  beforeEach(async () => {
    const { address, certificates } = zookeeper.tls!;
    const path = `/watched-${randomUUID()}`;
    destination = `urls=${address}\npath=${path}\ntls=yes\ntls_ca=${certificates.ca}\ntls_cert=${folder}/client.crt\ntls_key=${folder}/client.key`;
    await copyFile(certificates.clientCert, join(folder, 'client.crt'));
    await copyFile(certificates.clientKey, join(folder, 'client.key'));
  });

  test.each([
    [
      'is missing',
      async () => rm(join(folder, 'client.key')),
      /tls_key: cannot read \S+\/client\.key \(ENOENT\)$/,
    ],
    [
      'is of another certificate',
      async () => copyFile(zookeeper.tls!.certificates.serverKey, join(folder, 'client.key')),
      /tls_cert and tls_key do not belong together \(.+\): \S+\/client\.crt, \S+\/client\.key; replace them/,
    ],
    [
      'is not a key',
      async () => writeFile(join(folder, 'client.key'), 'not a key'),
      /tls_key cannot be used \(.+\): \S+\/client\.key; replace it/,
    ],
  ])('a watch continues after the key of the client certificate %s', async (_case, damage, message) => {
    await damage();
    const outcomes = await outcomesOf({ destination }, async () =>
      copyFile(zookeeper.tls!.certificates.clientKey, join(folder, 'client.key')),
    );
    expect(outcomes[0]).toMatch(message);
    expect(outcomes.at(-1)).toBe('loaded');
  });
});

test('a watch of a server continues if a schema does not exist', async () => {
  const schema = join(folder, 'schema.json');
  const settings = { rules: `schemas = *.yaml: ${schema}`, keepsTrying: true };
  const outcomes = await outcomesOf(settings, async () => writeFile(schema, '{}'));
  expect(outcomes[0]).toBe(`validate.schemas: cannot read the schema ${schema} (ENOENT)`);
  expect(outcomes.at(-1)).toBe('loaded');
});

test('a watch ends if a schema does not exist', async () => {
  await expect(watchWith({ rules: `schemas = *.yaml: ${folder}/none.json` }, () => false)).rejects.toThrow(
    `validate.schemas: cannot read the schema ${folder}/none.json (ENOENT)`,
  );
});

test('a failed load has the code of its error', async () => {
  await rm(join(folder, 'library'), { recursive: true });
  await writeFile(join(folder, 'library'), 'not a folder');
  const failures: unknown[] = [];
  await watchWith(
    { rules: 'lookups = lookup' },
    (event) => event.kind === 'failed' && failures.push(event.error) === 1,
  );
  expect(failures[0]).toMatchObject({
    code: 'source_unreachable',
    message: expect.stringMatching(/is not a folder$/) as string,
  });
});
