// Runs the commander's server for fuzzing, on the sample library and CSV files in its own folder.
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startService } from '../parts/service-process.mjs';
import { ApiDocument } from './api-document.mjs';
import { requestsFor } from './requests.mjs';

const run = promisify(execFile);

const pathOf = (file) => fileURLToPath(new URL(`../../../${file}`, import.meta.url));

const SVCCMD = pathOf('apps/commander-api/bin/svccmd.js');

const TOKEN = 'a-token-that-fuzz-requests-carry';

const HOOK_SECRET = 'hook_secret_of_32_characters_or_more';

const HOOK = '{"ref":"refs/heads/main"}';

const JSON_TYPE = { 'content-type': 'application/json' };

const SITES = 'ip_from,ip_to,site\n10.1.0.0,10.1.255.255,Depot\n';

const CSV = 'IP2LOCATION-LITE-DB1.CSV';

const MAXMIND = 'GeoLite2-Country-CSV_20260101';

/** MaxMind's database of countries, with one network. */
const MAXMIND_FILES = {
  'Blocks-IPv4':
    'network,geoname_id,registered_country_geoname_id,represented_country_geoname_id,is_anonymous_proxy,is_satellite_provider\n192.0.2.0/24,2,2,,0,0\n',
  'Locations-en':
    'geoname_id,locale_code,continent_code,continent_name,country_iso_code,country_name,is_in_european_union\n2,en,EU,Europe,XC,Arcadia,1\n',
};

const HOOKS = [
  {
    headers: {
      ...JSON_TYPE,
      'x-github-event': 'push',
      'x-hub-signature-256': `sha256=${createHmac('sha256', HOOK_SECRET).update(HOOK).digest('hex')}`,
    },
    body: HOOK,
  },
  { headers: { ...JSON_TYPE, 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': HOOK_SECRET }, body: HOOK },
];

const STREAMED = [{ headers: { accept: 'application/x-ndjson' } }];

const fileNamed = (name) => [{ headers: JSON_TYPE, body: JSON.stringify({ file_name: name }) }];

const WHOLES = {
  'POST /iplookup/from-csv': [
    {
      query: '?lookup_name=fuzz&input_ip_format=ipv4',
      headers: { 'content-type': 'text/csv' },
      body: SITES,
    },
    { headers: JSON_TYPE, body: JSON.stringify({ file_name: 'sites.csv', input_ip_format: 'ipv4' }) },
  ],
  'POST /iplookup/from-vendor': fileNamed(CSV),
  'POST /iplookup/from-maxmind': fileNamed(`${MAXMIND}.zip`),
  'PUT /library/load': STREAMED,
  'PUT /libraries/{library}/load': STREAMED,
  'POST /library/webhook': HOOKS,
  'POST /libraries/{library}/webhook': HOOKS,
};

const DECLARATIONS = 'lookups: {declared: {layers: [{source: sites.csv, input_ip_format: ipv4}]}}\n';

const OTHER_PATHS = ['/', '/docs', '/openapi.json', '/iplookup/', '/library/', '/nothing/'];

export async function openCommander() {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-commander-'));
  cpSync(pathOf('tools/sample'), folder, { recursive: true });
  mkdirSync(join(folder, 'lookups'));
  writeFileSync(join(folder, 'iplookup', CSV), '"16777216","16777471","AU","Australia"\n');
  await writeMaxmindArchive(join(folder, 'iplookup'));
  writeFileSync(join(folder, 'lookups.yaml'), DECLARATIONS);
  writeFileSync(join(folder, 'svccmd.conf'), configuration(folder));
  const svccmd = (...words) => run(process.execPath, [SVCCMD, ...words], { cwd: folder });
  // Builds it again where requests deleted or replaced it.
  const buildDeclared = () => svccmd('-c', 'svccmd.conf', 'iplookup', 'sync');
  const loadLibraries = async () => {
    await svccmd('-c', 'svccmd.conf', 'library', 'load');
    await svccmd('-c', 'svccmd.conf', 'library', 'load', 'parsers');
  };
  await svccmd('keygen', 'password.key');
  await buildDeclared();
  // Two different loads, so that a rollback is possible.
  await loadLibraries();
  appendFileSync(join(folder, 'library/Lookups/severity.yaml'), '# changed\n');
  await loadLibraries();
  const environment = {
    SVCCMD_HTTP_PORT: '0',
    SVCCMD_HTTP_TOKEN: TOKEN,
    RATE_LIMIT_PER_TOKEN: 'off',
    RATE_LIMIT_PER_ADDRESS: 'off',
    TRUSTED_PROXIES: '127.0.0.1',
  };
  const service = await startService('commander-api', environment, [
    '-c',
    join(folder, 'svccmd.conf'),
    'serve',
  ]);
  const document = await ApiDocument.of(service.url);
  return {
    service,
    document,
    requests: () =>
      requestsFor(document, {
        known: {
          name: ['fuzz', 'IP2LOCATION-LITE-DB1', 'sites', 'declared', 'none'],
          other: ['fuzz', 'declared', 'none'],
          library: ['parsers', 'parsers', 'none'],
          ip: ['1.0.0.1', '10.1.2.3', '::ffff:1.0.0.1', '2001:db8::1'],
          file_name: [CSV, 'sites.csv', 'sites.csv', '../svccmd.conf', 'none.csv'],
          lookup_name: ['fuzz', 'fuzz', '../x', 'a/b'],
          input_ip_format: ['ipv4', 'ipv4-int'],
          separator: [',', ','],
          zone_name: ['fuzz', 'other'],
          build_epoch: [0, 1_790_000_000],
          drop_columns: ['', 'site'],
          column_names: ['country_code country_name', 'site'],
          steps: [1, 2],
          to: [1],
          wait: [0, 5],
        },
        samples: {
          'text/csv': [
            SITES,
            '"16777216","16777471","AU","Australia"\n',
            'ip_from,ip_to\n"',
            '\0\0',
            'a'.repeat(100_000),
          ],
          'application/gzip': ['\x1f\x8b', ''],
          'application/zip': ['PK\x03\x04', ''],
          'text/plain': ['a password', 'pass wörd\n', 'x'.repeat(65_536), 'x'.repeat(65_537)],
        },
        wholes: WHOLES,
        tokens: {
          goodFor: () => [`Bearer ${TOKEN}`],
          bad: ['', 'Bearer wrong', 'Basic eDp5', `Bearer ${'x'.repeat(17_000)}`],
        },
        weightOf: ({ path }) => (path.startsWith('/librar') || path.startsWith('/health') ? 1 : 4),
        otherPaths: OTHER_PATHS,
      }),
    refresh: buildDeclared,
    isServing: async () => (await fetch(`${service.url}/health/ready`)).status === 200,
    close: async () => {
      await service.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Writes the archive that MaxMind offers for download. */
async function writeMaxmindArchive(parent) {
  const folder = join(parent, MAXMIND);
  mkdirSync(folder);
  for (const [name, text] of Object.entries(MAXMIND_FILES))
    writeFileSync(join(folder, `GeoLite2-Country-${name}.csv`), text);
  await run('/usr/bin/python3', ['-m', 'zipfile', '-c', `${folder}.zip`, folder]);
}

function configuration(folder) {
  return `[pwdencryptor]
key = password.key
[source]
path = library
state_path = state
webhook_secret = ${HOOK_SECRET}
[destination]
urls = file://${folder}/stored
[library:parsers]
source.path = library
source.state_path = state
source.webhook_secret = ${HOOK_SECRET}
destination.path = /parsers
[iplookup]
source_path = iplookup
destination_path = lookups
declarations = lookups.yaml
`;
}
