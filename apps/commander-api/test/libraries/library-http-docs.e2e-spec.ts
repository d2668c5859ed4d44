import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { typeInShell } from '../shell/type-line.js';
import { blocks, readDocument } from './support/documents.js';
import { LIBRARY, makeFolder, writeFiles } from './support/library-folder.js';
import { startServer, type Server } from './support/server.js';
import { svccmd } from './support/svccmd.js';

let folder: string;
let library: string;
let environment: NodeJS.ProcessEnv;
let server: Server;

beforeAll(async () => {
  [folder, library] = await Promise.all([makeFolder(), makeFolder(LIBRARY)]);
  environment = {
    SVCCMD_SOURCE_PATH: library,
    SVCCMD_SOURCE_STATE_PATH: join(folder, 'copies'),
    SVCCMD_SOURCE_WEBHOOK_SECRET: 'hook_secret_of_32_characters_or_more',
    SVCCMD_DESTINATION_URLS: `file://${folder}/stored`,
  };
  const token = 'a-token-that-only-this-test-has-0123';
  writeFileSync(join(folder, 'svccmd.token'), token);
  server = await startServer({ ...environment, SVCCMD_HTTP_TOKEN: token });
});

afterAll(async () => {
  await server.stop();
  await Promise.all([folder, library].map(async (path) => rm(path, { recursive: true })));
});

test('every request of docs/library-http.md is answered', async () => {
  await svccmd(['library', 'load'], environment);
  await writeFiles(library, { 'Lookups/ports.csv': 'changed' });
  const requests = blocks('library-http.md', 'sh').filter((text) => text.includes('curl '));
  expect(requests).toHaveLength(2);
  for (const text of requests) {
    const script = text
      .replaceAll('curl ', 'curl -sS --fail ')
      .replaceAll('http://127.0.0.1:8080', server.url);
    const { code, stdout, stderr } = await typeInShell(script, { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toBe('');
  }
});

test('docs/library-http.md names every endpoint with its options, and no other', async () => {
  const { paths } = (await (await server.fetch('/openapi.json')).json()) as OpenApi;
  const offered = Object.entries(paths)
    .filter(([path]) => path.startsWith('/library/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [] }]) =>
        [`${method.toUpperCase()} ${path}`, ...parameters.map(({ name }) => name).sort()].join(' '),
      ),
    );
  const rows = readDocument('library-http.md').matchAll(
    /^\| `([A-Z]+ \/library\/\w+)` +\|[^|]*\|([^|]*)\|$/gm,
  );
  const documented = [...rows].map(([, request, answer = '']) => {
    const query = /query: (.*)/.exec(answer.replaceAll(/\([^)]*\)/g, ''))?.[1] ?? '';
    return [request, ...[...query.matchAll(/`(\w+)`/g)].map(([, name]) => name!).sort()].join(' ');
  });
  expect(documented.sort()).toEqual(offered.sort());
});

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly { readonly name: string }[] }>>>
  >;
}
