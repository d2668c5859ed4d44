import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zip } from '../../test/make-zip.js';
import { InputFileError } from './file.errors.js';
import { type InputRules, openInput } from './open-input.js';

const folder = mkdtempSync(join(tmpdir(), 'open-input-'));
afterAll(() => rmSync(folder, { recursive: true }));
const CSV = 'ip_from,ip_to,v\n1.0.0.0,1.0.0.1,x\n';

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

async function read(path: string, rules?: InputRules): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await openInput(path, rules)).content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

test.each([
  ['plain.csv', Buffer.from(CSV)],
  ['gzipped.csv.gz', gzipSync(CSV)],
  ['gzipped-under-another-name.csv', gzipSync(CSV)],
  ['two-members.csv.gz', Buffer.concat([gzipSync(CSV.slice(0, 9)), gzipSync(CSV.slice(9))])],
  ['zipped.zip', zip({ 'LICENSE.TXT': 'x', 'DATA.CSV': CSV, '__MACOSX/._DATA.CSV': 'y' })],
])('%s', async (name, content) => {
  expect(await read(file(name, content))).toBe(CSV);
});

test('an archive provides the name of its CSV file', async () => {
  expect((await openInput(file('named.zip', zip({ 'IP2LOCATION-LITE-DB1.CSV': CSV })))).entryName).toBe(
    'IP2LOCATION-LITE-DB1.CSV',
  );
});

test.each([
  ['cut.gz', gzipSync(CSV.repeat(9)).subarray(0, 40), 'is truncated: its compressed data ends early'],
  [
    'damaged.gz',
    Buffer.concat([gzipSync(CSV).subarray(0, 12), Buffer.alloc(40, 7)]),
    'is damaged: it cannot be decompressed',
  ],
  ['none.zip', zip({ 'LICENSE.TXT': 'x' }), 'contains no .csv file'],
  ['two.zip', zip({ 'a.csv': CSV, 'b.csv': CSV }), 'contains 2 .csv files: unpack the one you want'],
  ['wrong-sum.zip', zip({ 'a.csv': CSV }, 1), 'is damaged: the checksum of a.csv is wrong'],
  [
    'larger.zip',
    zip({ 'a.csv': CSV }, 0, -1),
    'is damaged: the size of a.csv differs from what the archive says',
  ],
  [
    'smaller.zip',
    zip({ 'a.csv': CSV }, 0, 1),
    'is damaged: the size of a.csv differs from what the archive says',
  ],
  [
    'cut.zip',
    zip({ 'a.csv': CSV }).subarray(0, 60),
    'is damaged or truncated: it is not a complete zip archive',
  ],
  [
    'inner.zip',
    zip({ 'DB1.ZIP': 'x' }),
    `contains no .csv file, but DB1.ZIP, which is packed itself: unpack ${join(folder, 'inner.zip')} first`,
  ],
])('%s is rejected', async (name, content, message) => {
  const path = file(name, content);
  await expect(read(path)).rejects.toMatchObject({ name: 'InputFileError', message: `${path} ${message}` });
});

test('a missing file and a folder are reported by name', async () => {
  mkdirSync(join(folder, 'inner'));
  await expect(read(join(folder, 'nowhere.csv'))).rejects.toThrow('nowhere.csv does not exist');
  await expect(read(join(folder, 'inner'))).rejects.toThrow('is a folder');
});

test('limits of size and of expansion hold', async () => {
  const bomb = file('bomb.gz', gzipSync('x'.repeat(4 << 20)));
  await expect(read(bomb, { limits: { maxBytes: 2 ** 40, maxRatio: 200 } })).rejects.toThrow(
    '200 times as large',
  );
  await expect(read(bomb, { limits: { maxBytes: 1 << 20, maxRatio: 1e9 } })).rejects.toThrow(
    `more than ${1 << 20} bytes`,
  );
  expect((await read(bomb, { limits: { maxBytes: 2 ** 40, maxRatio: 1e9 } })).length).toBe(4 << 20);
});

const LONG = Array.from({ length: 400_000 }, (_, line) => `line ${line}\n`).join('');

test.each([
  ['plain', Buffer.from(LONG)],
  ['gz', gzipSync(LONG)],
  ['gz in two members', Buffer.concat([gzipSync(LONG.slice(0, 3e6)), gzipSync(LONG.slice(3e6))])],
  ['hardly compressed gz', gzipSync(LONG, { level: 0 })],
  ['zip', zip({ 'a.csv': LONG })],
])('a file of several chunks is read whole (%s)', async (_kind, content) => {
  expect((await read(file('long.csv', content))) === LONG).toBe(true);
});

test('memory of decompressed chunks is freed at once, and used for later ones', async () => {
  const lengths: number[] = [];
  let former: Uint8Array | undefined;
  for await (const chunk of (await openInput(file('long.gz', gzipSync(LONG)))).content) {
    if (former !== undefined) lengths.push(former.length);
    former = chunk;
  }
  expect(lengths.length).toBeGreaterThan(2);
  expect(new Set(lengths)).toEqual(new Set([0]));
});

test('reading stops in the middle of compressed standard input that stays silent', async () => {
  const packed = gzipSync(LONG, { level: 0 });
  async function* stdin(): AsyncGenerator<Uint8Array> {
    yield packed.subarray(0, 2 << 20);
    await new Promise(() => undefined);
  }
  for await (const chunk of (await openInput('-', { stdin: stdin() })).content) {
    expect(chunk.length).toBeGreaterThan(0);
    break;
  }
});

test.each([
  ['a pipe', 'is a pipe, not a file: pipe its content into the command, and pass - as the file name'],
  ['a device', 'is a device, not a file'],
])('%s is rejected at once', async (kind, reason) => {
  const path = kind === 'a pipe' ? join(folder, 'pipe.csv') : '/dev/null';
  if (kind === 'a pipe') execFileSync('mkfifo', [path]);
  await expect(openInput(path)).rejects.toThrow(`${path} ${reason}`);
});

test.each([
  ['plain', Buffer.from(CSV)],
  ['gz', gzipSync(CSV)],
  ['zip', zip({ 'a.csv': CSV })],
])('a link that replaced a checked file is not followed (%s)', async (kind, content) => {
  const link = join(folder, `link-${kind}`);
  symlinkSync(file(`target-${kind}`, content), link);
  expect(await read(link)).toBe(CSV);
  await expect(openInput(link, { followLinks: false })).rejects.toThrow('cannot be read (ELOOP)');
});

test('messages use the name given to an input', async () => {
  const cut = file('cut-under-a-name.gz', gzipSync(CSV.repeat(9)).subarray(0, 40));
  await expect(read(cut, { name: 'sites.csv.gz' })).rejects.toThrow(
    /^sites\.csv\.gz is truncated: its compressed data ends early$/,
  );
});

const BZIP2 = Buffer.from('BZh91AY&SY\x00\x00', 'latin1');
const XZ = Buffer.from('\xfd7zXZ\x00\x00\x04', 'latin1');
const ZSTD = Buffer.from('\x28\xb5\x2f\xfd\x04\x00', 'latin1');
const text = (bytes: Buffer) => bytes.toString('latin1');

test.each([
  ['a.bz2', BZIP2, 'is compressed with bzip2', 'bzip2 -dc F'],
  ['a.csv.xz', XZ, 'is compressed with xz', 'xz -dc F'],
  ['a.csv', ZSTD, 'is compressed with zstd', 'zstd -dc F'],
  ['xz.gz', gzipSync(XZ), 'is compressed with xz', 'gzip -dc F | xz -dc'],
  ['gz.gz', gzipSync(gzipSync(CSV)), 'is gzipped', 'gzip -dc F | gzip -dc'],
  [
    'zip.zip',
    zip({ 'a.csv': text(Buffer.from('PK\x03\x04\x14\x00')) }),
    'is a zip archive',
    'unzip -p F | funzip',
  ],
])(
  'the compression of %s is recognized by its first bytes, and reported with the tool',
  async (name, content, kind, remedy) => {
    const path = file(name, content);
    const what = remedy.includes('|') ? `the content of ${path} ${kind} itself` : `${path} ${kind}`;
    const message = `${what}: decompress it on the fly: ${remedy.replace('F', path)} | svccmd ... -`;
    await expect(read(path)).rejects.toThrow(new InputFileError(message));
    await expect(read(path, { name: 'sent', limits: { maxBytes: 1e9, maxRatio: 1e9 } })).rejects.toThrow(
      /^(the content of )?sent is .*: unpack it first \([a-z0-9]+( -dc)?\)$/,
    );
  },
);

test('text that begins like a compressed file is still text', async () => {
  for (const start of ['BZh9', 'BZh', 'PK,', '('])
    expect(await read(file('like.csv', start + CSV))).toBe(start + CSV);
});
