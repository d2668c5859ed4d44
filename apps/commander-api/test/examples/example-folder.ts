import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { declaration } from '../clients/client-folder.js';
import { placeRows } from '../iplookup/lookup-folder.js';
import { writeCities, writeCityArchive } from '../iplookup/maxmind-files.js';
import { LIBRARY } from '../libraries/support/library-folder.js';

const SVCCMD = new URL('../../bin/svccmd.js', import.meta.url).pathname;
const SAMPLE = new URL('../../../../tools/sample/iplookup/sites.csv', import.meta.url).pathname;

const CONFIGURATION = `[pwdencryptor]
key = password.key
[source]
path = library
[iplookup]
source_path = in
destination_path = lookups
declarations = lookups.yaml
`;

/** Of a registry that supports only what the specification says. */
const REALM_CLIENT = {
  clientId: 'shop',
  name: 'The shop',
  publicClient: true,
  redirectUris: ['https://shop.example.com/cb'],
  attributes: { 'pkce.code.challenge.method': 'S256', 'use.refresh.tokens': 'false' },
};

/** The files that the examples name, as those who type them would have them. */
const FILES: Readonly<Record<string, string>> = {
  'svccmd.conf': CONFIGURATION,
  'etc/svccmd.conf': CONFIGURATION,
  'my.yaml': 'http:\n  log_level: debug\n',
  'password.key': '0123456789abcdef'.repeat(4),
  'old.key': 'fedcba9876543210'.repeat(4),
  'password.txt': 'hunter2\n',
  'database.yaml': 'database:\n  user: collector\n  password: # of the database\n',
  'clients.yaml': `${declaration('shop')}---\n${declaration('portal')}`,
  'clients/shop.yaml': declaration('shop'),
  'clients/portal.yaml': declaration('portal', 'enabled: false\n'),
  'realm.json': JSON.stringify({ clients: [REALM_CLIENT] }),
  'lookups.yaml': 'lookups: {networks: {layers: [{source: sites.csv, input_ip_format: ipv4}]}}\n',
  'in/IP2LOCATION-LITE-DB1.CSV': '"16777216","16777471","AU","Australia"\r\n',
  'in/v4.csv': 'network,place_id\n10.0.0.0/8,1\n',
  'in/v6.csv': 'network,place_id\n2001:db8::/32,2\n',
  'in/places.csv': 'place_id,site\n1,Warehouse\n2,Depot\n',
  'in/IP2LOCATION-LITE-DB11.IPV6.CSV': placeRows(20, 6),
  ...Object.fromEntries(Object.entries(LIBRARY).map(([path, text]) => [`library/${path}`, text])),
};

/**
 * Gives each test of a file a folder of its own with all that the examples need, `svccmd` on its own path.
 *
 * @returns the path of the present test's folder
 */
export function exampleFolderPerTest(): () => string {
  // Copied for each test: its zip archives take most of the time.
  let template: string;
  let folder: string;
  beforeAll(() => {
    template = makeExampleFolder();
  });
  afterAll(() => rmSync(template, { recursive: true }));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svccmd-example-'));
    cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  return () => folder;
}

function makeExampleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svccmd-example-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const key of ['password.key', 'old.key']) chmodSync(join(folder, key), 0o600);
  cpSync(SAMPLE, join(folder, 'in/sites.csv'));
  const vendor = 'IP2LOCATION-LITE-DB11.IPV6.CSV';
  execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-c', `${vendor}.ZIP`, vendor], {
    cwd: join(folder, 'in'),
  });
  rmSync(join(folder, 'in', vendor));
  writeCityArchive(join(folder, 'in'), 'GeoLite2');
  writeCities(folder, 'GeoIP2');
  mkdirSync(join(folder, 'bin'));
  symlinkSync(SVCCMD, join(folder, 'bin', 'svccmd'));
  return folder;
}
