import { Readable } from 'node:stream';
import type { Product } from '@svc/client-metadata/conversion';
import { readExport } from './read-export.js';

const read = async (product: Product, text: string): Promise<unknown> =>
  readExport(product, '-', {
    stdin: Readable.from([Buffer.from(text)], { objectMode: false }),
    signal: new AbortController().signal,
  });

test('JSON, also with a byte order mark, and JSON Lines are read', async () => {
  expect(await read('keycloak', '\uFEFF {"clients": []}')).toEqual({ clients: [] });
  expect(await read('seacat', '{"_id":"a"}\n\n{"_id":"b"}\n')).toEqual([{ _id: 'a' }, { _id: 'b' }]);
});

test('Hydra also exports CSV; CSV may begin with a bracket', async () => {
  expect(await read('hydra', 'id,scope\na,openid\n')).toEqual([{ id: 'a', scope: 'openid' }]);
  expect(await read('csv', '[x],y\n1,2\n')).toEqual([{ '[x]': '1', y: '2' }]);
});

test("values with tags of authentik's own are unknown", async () => {
  const text = 'entries:\n  - attrs:\n      a: !Env SECRET\n      b: !Find [x, [y, z]]\n      c: 1\n';
  expect(await read('authentik', text)).toEqual({ entries: [{ attrs: { a: null, b: null, c: 1 } }] });
});

test.each<[Product, string, string, RegExp]>([
  ['keycloak', 'broken JSON', '{"secret": "s3cr3t",\n"x" "s3cr3t"}', /^it is not JSON( \(line 2\))?$/],
  ['keycloak', 'YAML', 'secret: s3cr3t', /^it is not JSON/],
  ['seacat', 'a broken line', '{"a": "s3cr3t"}\n{"a" "s3cr3t"}\n', /^line 2 is not a JSON object$/],
  ['hydra', 'a short row', 'id,client_secret\ns3cr3t\n', /^line 2: it has 1 cells, but the header has 2$/],
  ['auth0', 'broken YAML', 'clients:\n  - "s3cr3t\n', /^line \d: it is not YAML$/],
  ['authentik', 'deep YAML', '- '.repeat(300) + 's3cr3t', /^nested more than 200 levels deep$/],
])('%s: %s is rejected without its content', async (product, _, text, message) => {
  const error = await read(product, text).then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  expect(error?.message).toMatch(message);
  expect(error?.message).not.toContain('s3cr3t');
});

test('JSON nested a hundred thousand levels deep is an error, not a crash', async () => {
  await expect(read('hydra', '['.repeat(100_000))).rejects.toThrow('it is not JSON');
});
