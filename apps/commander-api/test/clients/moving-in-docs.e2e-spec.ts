import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, recordSecrets } from '@svc/test-servers';
import { typeLine } from '../shell/type-line.js';
import { type ClientFolder, makeClientFolder } from './client-folder.js';
import { type RunningRegistry, startRegistry } from './registry-process.js';

const ROOT = new URL('../../../../', import.meta.url);

/** The pages in the order of a reader; the first one writes a file that others use. */
const PAGES = [
  'moving-in',
  'move-from-keycloak',
  'move-from-hydra',
  'move-from-seacat',
  'move-from-oidc-provider',
  'move-from-auth0',
  'move-from-authentik',
  'move-from-csv',
];

let registry: RunningRegistry;
let folder: ClientFolder;
let place: string;

beforeAll(async () => {
  registry = await startRegistry({
    GRANT_TYPES: 'refresh_token,client_credentials',
    TOKEN_ENDPOINT_AUTH_METHODS: 'client_secret_basic,client_secret_post',
    SECRET_IMPORT: 'allowed',
  });
  folder = makeClientFolder(registry);
  place = join(folder.path, 'docs');
  cpSync(new URL('tools/sample/clients', ROOT), place, { recursive: true });
  mkdirSync(join(place, 'bin'));
  symlinkSync(new URL('apps/commander-api/bin/svccmd.js', ROOT).pathname, join(place, 'bin', 'svccmd'));
}, 120_000);
afterAll(async () => {
  folder.remove();
  await registry.stop();
});

/** A new id differs each time. */
const withoutIds = (text: string): string =>
  text.replace(/(?<=^|: |created )[\w-]{22}(?=  |:| \()/gm, 'A_NEW_ID______________');

/** Reads only: after a check, the registry replaces a hash without making the caller wait. */
const isRead = (line: string): boolean => line.startsWith('curl ') && !line.includes(' -d ');

test.each(PAGES)('every transcript of docs/%s.md is what happens', async (name) => {
  const page = readFileSync(new URL(`docs/${name}.md`, ROOT), 'utf8');
  const env = { ...folder.env, REGISTRY: registry.url, TOKEN: registry.token };
  const typed = [...page.matchAll(/^```console\n\$ (.*)\n```\n(?:\n```text\n([^]*?)```)?/gm)];
  expect([typed.length > 1, typed.length]).toEqual([true, page.split('```console').length - 1]);
  recordSecrets(...[...page.matchAll(/"client_secret":"([^"]+)"/g)].map(([, secret]) => String(secret)));
  const type = async (line: string) => typeLine(line, { cwd: place, env });
  for (const [, line = '', shown] of typed) {
    if (shown === undefined) {
      expect({ line, code: (await type(line)).code }).toEqual({ line, code: 0 });
      continue;
    }
    const expectShown = async () => {
      const { stdout, stderr } = await type(line);
      const printed = withoutIds(`${stdout}${stderr}`).trimEnd();
      expect(`$ ${line}\n${printed}`).toBe(`$ ${line}\n${withoutIds(shown).trimEnd()}`);
    };
    await (isRead(line) ? eventually(expectShown) : expectShown());
  }
});
