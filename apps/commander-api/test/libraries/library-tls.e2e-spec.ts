import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, type GitServer, makeCertificates, startGitServer } from '@svc/test-servers';
import { makeFolder } from './support/library-folder.js';
import { type Server, startServer } from './support/server.js';
import { svccmdProcess } from './support/svccmd.js';

let folder: string;
let impostor: GitServer;
let server: Server;
let configuration: string;

/** ZooKeeper and the git server are the same impostor, whose certificate no authority of the system has signed. */
beforeAll(async () => {
  folder = await makeFolder({ 'library/a.yaml': 'x: 1\n' });
  const { serverKey, serverCert } = await makeCertificates(folder);
  impostor = await startGitServer({ root: folder, tls: { key: serverKey, cert: serverCert } });
  configuration = join(folder, 'svccmd.conf');
  const sections = `[destination]
urls = file://${folder}/stored
[library:git]
source.path = ${impostor.url}/library.git
destination.path = /git
[library:zookeeper]
source.path = library
destination.urls = ${impostor.address}
destination.path = /parsers
destination.tls = yes
destination.timeout = 2 s
[library:client]
source.path = library
destination.urls = ${impostor.address}
destination.path = /client
destination.tls = yes
destination.tls_cert = client.crt
destination.tls_key = server.key
`;
  await writeFile(configuration, sections);
  server = await startServer({}, ['-c', configuration, 'serve']);
});

afterAll(async () => {
  await server.stop();
  await impostor.stop();
  await rm(folder, { recursive: true });
});

test.each([
  ['git', 502],
  ['zookeeper', 503],
])(
  'a server whose certificate is not trusted is not used, and the log says why: %s',
  async (name, status) => {
    const response = await server.fetch(`/libraries/${name}/load`, { method: 'PUT' });
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(/certificate/)]);
    expect(impostor.requests).toEqual([]);
    await eventually(async () => {
      const lines = server.log().trim().split('\n');
      const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const reason = expect.stringMatching(/certificate/) as string;
      expect(logged).toContainEqual(
        expect.objectContaining({ level: 'warn', msg: 'library load failed', library_name: name, reason }),
      );
      expect(logged).toContainEqual(
        expect.objectContaining({ event: 'library.load', outcome: 'failed', target: name }),
      );
    });
  },
);

test('a client certificate with the key of another one is an error that names both files, and the server keeps running', async () => {
  const reason = `destination: tls_cert and tls_key do not belong together (key values mismatch): ${folder}/client.crt, ${folder}/server.key; replace them with a certificate and its key`;
  const response = await server.fetch('/libraries/client/load', { method: 'PUT' });
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ detail: reason }),
  ]);
  expect((await server.fetch('/libraries')).status).toBe(200);
  const words = ['-c', configuration, 'library', 'load', 'client'];
  expect(await svccmdProcess(words)).toMatchObject({ code: 3, stderr: `svccmd: ${reason}\n` });
});
