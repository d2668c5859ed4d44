import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, type GitServer, makeCertificates, startGitServer } from '@svc/test-servers';
import { makeFolder } from './support/library-folder.js';
import { type Server, startServer } from './support/server.js';

let folder: string;
let impostor: GitServer;
let server: Server;

/** ZooKeeper and the git server are the same impostor, whose certificate no authority of the system has signed. */
beforeAll(async () => {
  folder = await makeFolder({ 'library/a.yaml': 'x: 1\n' });
  const { serverKey, serverCert } = await makeCertificates(folder);
  impostor = await startGitServer({ root: folder, tls: { key: serverKey, cert: serverCert } });
  const configuration = join(folder, 'svccmd.conf');
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
