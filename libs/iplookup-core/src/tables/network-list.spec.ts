import { hasNetworkComments, NetworkList } from './network-list.js';

const COMMA = 44;

/** In pieces of a few bytes. */
async function* pieces(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  // As the reader of files does, with one buffer for all pieces.
  const buffer = Buffer.alloc(size);
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(buffer, 0, at, at + size);
    yield buffer.subarray(0, length);
  }
}

async function rowsOf(text: string | Buffer, size = 7): Promise<string[]> {
  const list = new NetworkList('list.txt', COMMA);
  const parts: Uint8Array[] = [];
  for await (const part of list.read(pieces(text, size))) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString().trimEnd().split('\n');
}

test('lines with comments, blank ones and ranges keep their numbers', async () => {
  const text = [
    '\ufeff# Deny list, "daily"',
    '192.0.2.0/24 ; SBL1',
    '',
    '  198.51.100.7\t# one, two  ',
    '203.0.113.1 - 203.0.113.9 // a "range"',
    '2001:db8::/32',
  ].join('\r\n');
  for (const size of [1, 7, 4096])
    expect(await rowsOf(text, size)).toEqual([
      'network,comment',
      '',
      '192.0.2.0/24,SBL1',
      '',
      '198.51.100.7,"one, two"',
      '203.0.113.1-203.0.113.9,"a ""range"""',
      '2001:db8::/32,',
    ]);
  const list = new NetworkList('list.txt', COMMA);
  expect(list.places.of(3)).toEqual({ file: 'list.txt', row: 2 });
});

test.each(['Città', 'ССР', '不足欠'])(
  'a comment that ends in the bytes of %p keeps them',
  async (comment) => {
    expect(await rowsOf(`192.0.2.0/24 # ${comment} \r\n`)).toEqual([
      'network,comment',
      `192.0.2.0/24,${comment}`,
    ]);
  },
);

test('long runs of blanks in a line take no time', async () => {
  const blanks = ' '.repeat(500_000);
  const text = `192.0.2.0${blanks}-${blanks}192.0.2.9\n192.0.2.1${blanks}x\n192.0.2.2 # a${blanks}b\n`;
  expect(await rowsOf(text, 65_536)).toEqual([
    'network,comment',
    '192.0.2.0-192.0.2.9,',
    `192.0.2.1${blanks}x,`,
    `192.0.2.2,a${blanks}b`,
  ]);
});

test('an empty list has a header only', async () => {
  for (const text of ['', '\n\n', '# nothing today\n'])
    expect((await rowsOf(text)).filter((line) => line !== '')).toEqual(['network,comment']);
});

const HEADER = 'network,provider,service,region';

/** In the form of each provider's file, with addresses for documentation. */
test.each<[string, unknown, string[]]>([
  [
    'AWS',
    {
      syncToken: '1',
      createDate: '2026-01-01-00-00-00',
      prefixes: [
        {
          ip_prefix: '192.0.2.0/24',
          region: 'eu-west-1',
          service: 'AMAZON',
          network_border_group: 'eu-west-1',
        },
      ],
      ipv6_prefixes: [
        { ipv6_prefix: '2001:db8::/32', region: 'GLOBAL', service: 'S3', network_border_group: 'GLOBAL' },
      ],
    },
    ['192.0.2.0/24,aws,AMAZON,eu-west-1', '2001:db8::/32,aws,S3,GLOBAL'],
  ],
  [
    'Google Cloud',
    {
      syncToken: '1',
      prefixes: [
        { ipv4Prefix: '192.0.2.0/24', service: 'Google Cloud', scope: 'europe-west1' },
        { ipv6Prefix: '2001:db8::/44' },
      ],
    },
    ['192.0.2.0/24,google,Google Cloud,europe-west1', '2001:db8::/44,google,,'],
  ],
  [
    'Azure',
    {
      changeNumber: 1,
      cloud: 'Public',
      values: [
        {
          name: 'AzureCloud.westeurope',
          id: 'AzureCloud.westeurope',
          properties: { region: 'westeurope', addressPrefixes: ['192.0.2.0/24', '2001:db8::/48'] },
        },
      ],
    },
    [
      '192.0.2.0/24,azure,AzureCloud.westeurope,westeurope',
      '2001:db8::/48,azure,AzureCloud.westeurope,westeurope',
    ],
  ],
  [
    'Oracle',
    {
      last_updated_timestamp: '2026-01-01T00:00:00',
      regions: [{ region: 'eu-frankfurt-1', cidrs: [{ cidr: '192.0.2.0/24', tags: ['OCI', 'OSN'] }] }],
    },
    ['192.0.2.0/24,oracle,OCI OSN,eu-frankfurt-1'],
  ],
  [
    'Cloudflare',
    { result: { ipv4_cidrs: ['192.0.2.0/24'], ipv6_cidrs: ['2001:db8::/32'], etag: 'x' }, success: true },
    ['192.0.2.0/24,cloudflare,,', '2001:db8::/32,cloudflare,,'],
  ],
  [
    'GitHub',
    {
      verifiable_password_authentication: false,
      ssh_keys: ['ssh-ed25519 AAAA'],
      hooks: ['192.0.2.0/24'],
      actions: ['198.51.100.0/25', '2001:db8::/32'],
      domains: { website: ['*.github.com'] },
    },
    ['192.0.2.0/24,github,hooks,', '198.51.100.0/25,github,actions,', '2001:db8::/32,github,actions,'],
  ],
  ['a list of networks', ['192.0.2.0/24', '192.0.2.1'], ['192.0.2.0/24,,,', '192.0.2.1,,,']],
  [
    'lists by service',
    { addresses: ['192.0.2.0/24'], ipv6_addresses: ['2001:db8::/32'] },
    ['192.0.2.0/24,,addresses,', '2001:db8::/32,,ipv6_addresses,'],
  ],
  [
    'lists with invalid networks, which the build reports',
    {
      deny: ['192.0.2.0/24', '192.0.2.7/24', '198.51.100.7 ', ' ', null, 80],
      range: ['192.0.2.0 - 192.0.2.300'],
      long: ['2001:db8::/129'],
      whole: ['2001:db8:0:0:0:0:0:1/32'],
      mapped: ['0:0:0:0:0:ffff:192.0.2.0/120'],
    },
    [
      '192.0.2.0/24,,deny,',
      '192.0.2.7/24,,deny,',
      '198.51.100.7 ,,deny,',
      ' ,,deny,',
      ',,deny,',
      ',,deny,',
      '192.0.2.0 - 192.0.2.300,,range,',
      '2001:db8::/129,,long,',
      '2001:db8:0:0:0:0:0:1/32,,whole,',
      '0:0:0:0:0:ffff:192.0.2.0/120,,mapped,',
    ],
  ],
  ['a list with an invalid network', ['', '192.0.2.0/24', 'x'], [',,,', '192.0.2.0/24,,,', 'x,,,']],
  [
    'a list of networks beside others',
    {
      ports: ['80', '443', '1024-2048'],
      times: ['10:30', '10:30:00'],
      macs: ['00:00:5e:00:53:01'],
      versions: ['1.2.3', '0.1'],
      names: ['example.com', '*.example.com', 'https://192.0.2.1/'],
      fingerprints: [
        '16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
        'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDPo',
      ],
      networks: ['192.0.2.0/24'],
    },
    ['192.0.2.0/24,,networks,'],
  ],
])('the JSON of %s', async (_provider, document, rows) => {
  expect(await rowsOf(`\n ${JSON.stringify(document, undefined, 2)}`)).toEqual([HEADER, ...rows]);
});

test.each([
  ['{"a": 1}', 'list.txt: is JSON without known lists of networks'],
  ['{"prefixes": []}', 'list.txt: is JSON without known lists of networks'],
  ['{"ports": ["80", "443"]}', 'list.txt: is JSON without known lists of networks'],
  ['["80"]', 'list.txt: is JSON without known lists of networks'],
  ['{"a": [', 'list.txt: looks like JSON, but is invalid: '],
])('%s is refused', async (text, message) => {
  await expect(rowsOf(text)).rejects.toThrow(message);
});

test('an endless line is rejected before it fills the memory', async () => {
  await expect(rowsOf('1'.repeat(3_000_000), 65_536)).rejects.toThrow(
    'has a line of more than 1048576 bytes',
  );
});

test.each([
  '192.0.2.0/24 ; SBL1\n198.51.100.0/24 ; SBL2\n',
  '; Spamhaus DROP List\n192.0.2.0/24\n',
  '# deny\n192.0.2.1\n192.0.2.9 - 192.0.2.11\n',
  '2001:db8::/32 // documentation\n',
  '192.0.2.0/24#no blank\n192.0.2.1\n',
])('%j can only be a list of networks', (text) => {
  expect(hasNetworkComments(Buffer.from(text))).toBe(true);
});

test.each([
  '10.0.0.0;10.0.0.255;AU;true\n10.0.1.0;10.0.1.255;DE;false\n',
  '10.0.0.0 ; 10.0.0.255 ; AU\n',
  '10.0.0.0 ; 10.0.0.255\n',
  '2001:db8:: ; 2001:db8::ff\n',
  '10.0.0.0/24 ; AU ; Sydney\n',
  '10.0.0.0/24;AU\n10.0.1.0/24;DE\n',
  '# network;country\n10.0.0.0/24;AU\n',
  'network;country\n10.0.0.0/24;AU\n',
  '10.0.0.0/24,AU,https://example.com/#au\n',
  '192.0.2.0/24\n198.51.100.0/24\n',
  '16777216;16777471;AU\n',
])('%j may be CSV', (text) => {
  expect(hasNetworkComments(Buffer.from(text))).toBe(false);
});

test.each([
  ['# a comment\n192.0.2.1\n', true],
  ['192.0.2.1 // a\n', true],
  [' ; a comment\n192.0.2.1\n', true],
  ['192.0.2.1 - 192.0.2.9 ; SBL1\n', true],
  ['192.0.2.1 ; 192.0.2.9\n', false],
  ['192.0.2.1 ; x ; y\n', false],
  ['192.0.2.1;x\n', false],
  ['192.0.2.1\u00a0;x\n', false],
  ['192.0.2.1\n', false],
  ['# a comment\n', false],
  [`192.0.2.1 ${'#'.repeat(500_000)}\r \n`, true],
  [`192.0.2.1${' '.repeat(500_000)}x # a\n`, false],
  [`192.0.2.1${' ;'.repeat(250_000)}1.\n`, false],
])('%.40j is only a list of networks: %p', (text, expected) => {
  expect(hasNetworkComments(Buffer.from(text))).toBe(expected);
});
