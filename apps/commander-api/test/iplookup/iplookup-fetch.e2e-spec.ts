import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHttpProxy } from '@svc/test-servers';
import { runSvccmd } from '../shell/run-svccmd.js';
import { ROWS, useRemoteFolder } from './remote-folder.js';
import { type Answer, sendFile } from './source-server.js';

const remote = useRemoteFolder();

async function sync(...args: string[]) {
  const { code, stdout, stderr } = await remote.folder.run('sync', ...args);
  return { code, stdout, stderr, all: stdout + stderr };
}

test('a source is fetched once, and again when it has changed', async () => {
  expect((await sync()).stderr).toContain(`fetched ${remote.server.origin}/base.csv\n`);
  expect(remote.folder.find('country')).toBe('CZ');
  const again = await sync();
  expect([again.stdout, again.stderr]).toEqual(['geo  unchanged\n', '']);
  expect(remote.server.requests.at(-1)!.headers['if-none-match']).toMatch(/^"/);
  remote.server.answers['/base.csv'] = sendFile(ROWS.replace('CZ', 'DE'));
  expect((await sync()).stdout).toContain('geo  built');
  expect(remote.folder.find('country')).toBe('DE');
});

test('what the server said about another file does not apply: two runs may have fetched different ones at once', async () => {
  await sync();
  const sources = join(remote.folder.lookups, '.sync', 'sources');
  const fetched = join(sources, readdirSync(sources)[0]!, 'base.csv');
  // As if a slower run had put in place what it was sent before.
  rmSync(fetched);
  writeFileSync(fetched, ROWS.replace('CZ', 'XX'));
  await sync();
  expect(remote.folder.find('country')).toBe('CZ');
});

test('a file of the same size and Last-Modified is another one, even if the file system uses its inode again', async () => {
  const sources = join(remote.folder.lookups, '.sync', 'sources');
  const modified = () => statSync(join(sources, readdirSync(sources)[0]!, 'base.csv')).mtime.toISOString();
  await sync();
  const before = modified();
  remote.server.answers['/base.csv'] = sendFile(ROWS.replace('CZ', 'DE'));
  await sync();
  expect([before.slice(0, 19), modified().slice(0, 19)]).toEqual(Array(2).fill('2026-01-01T00:00:00'));
  expect(modified()).not.toBe(before);
});

test('a dry run sends no requests', async () => {
  expect((await sync('--dry-run')).stdout).toBe(
    `geo  outdated: it was never built, ${remote.server.origin}/base.csv was never fetched\n`,
  );
  await sync();
  remote.server.requests = [];
  expect((await sync('--dry-run')).stdout).toBe('geo  unchanged\n');
  expect(remote.server.requests).toEqual([]);
});

test('a wrong checksum leaves the former file, a right one does not', async () => {
  await sync();
  const changed = ROWS.replace('CZ', 'DE');
  remote.server.answers['/base.csv'] = sendFile(changed);
  remote.server.answers['/base.csv.sha256'] = sendFile(`${'0'.repeat(64)}  base.csv\n`);
  remote.folder.declareSource('/base.csv', ', checksum: true');
  expect((await sync()).stderr).toMatch(
    /base\.csv cannot be fetched: its SHA-256 is [0-9a-f]{64}, but \S+ says 0{64}/,
  );
  expect(remote.folder.find('country')).toBe('CZ');
  remote.server.answers['/base.csv.sha256'] = sendFile(createHash('sha256').update(changed).digest('hex'));
  expect((await sync()).code).toBe(0);
  expect(remote.folder.find('country')).toBe('DE');
  remote.server.answers['/base.csv.sha256'] = sendFile('0'.repeat(64));
  expect((await sync()).stdout).toBe('geo  unchanged\n');
  remote.folder.declareSource();
  remote.server.answers['/base.csv'] = sendFile(changed.replace('DE', 'FR'));
  await sync();
  remote.folder.declareSource('/base.csv', ', checksum: true');
  expect((await sync()).stderr).toContain('says 0000');
  delete remote.server.answers['/base.csv.sha256'];
  remote.server.answers['/base.csv'] = sendFile(ROWS);
  expect((await sync()).stderr).toContain(
    `base.csv cannot be fetched: its checksum ${remote.server.origin}/base.csv.sha256 cannot be fetched: the server returned 404`,
  );
  expect(remote.folder.find('country')).toBe('FR');
});

test('MaxMind’s addresses have the ending in their query, and redirect to the newest file', async () => {
  remote.folder.writeZip('asn.zip', {
    'GeoLite2-ASN-Blocks-IPv4.csv': 'network,autonomous_system_number\n10.0.0.0/8,64500\n',
  });
  const archive = readFileSync(join(remote.folder.path, 'in/asn.zip'));
  const release = 'GeoLite2-ASN-CSV_20260101.zip';
  const redirect: Answer = ({ url }, response) =>
    response.writeHead(302, { location: `/files/${url!.replace('/download?suffix=zip', release)}` }).end();
  remote.server.answers = { '/download': redirect, [`/files/${release}`]: sendFile(archive) };
  const sum = `/files/${release}.sha256`;
  remote.server.answers[sum] = sendFile(`${'0'.repeat(64)}  ${release}\n`);
  const layer = `source: "${remote.server.origin}/download?suffix=zip", kind: maxmind, checksum: true`;
  writeFileSync(join(remote.folder.path, 'lookups.yaml'), `lookups: {asn: {layers: [{${layer}}]}}`);
  expect((await sync()).stderr).toContain(`but ${remote.server.origin}/download?suffix=zip.sha256 says 0000`);
  remote.server.answers[sum] = sendFile(
    `${createHash('sha256').update(archive).digest('hex')}  ${release}\n`,
  );
  expect((await sync()).stdout).toContain('asn  built');
  expect((await sync()).stdout).toBe('asn  unchanged\n');
});

test('a file name in a URL is decoded: the columns of a vendor’s file, and messages', async () => {
  remote.server.answers['/IP2LOCATION%2DLITE-DB1.CSV'] = sendFile('"167772160","167772415","XA","Utopia"\n');
  const layer = `source: "${remote.server.origin}/IP2LOCATION%2DLITE-DB1.CSV", kind: vendor`;
  writeFileSync(join(remote.folder.path, 'lookups.yaml'), `lookups: {geo: {layers: [{${layer}}]}}`);
  expect((await sync()).code).toBe(0);
  remote.server.answers['/our%20sites.csv'] = sendFile('network,site\nnowhere,Depot\n');
  remote.folder.declareSource('/our%20sites.csv');
  expect((await sync()).stderr).toContain('our sites.csv: row 2, column network: "nowhere" is not a network');
});

test('only listed hosts are asked, and private addresses only if they are allowed', async () => {
  remote.folder.configure('hosts = other.example\n');
  expect((await sync()).stderr).toContain('the host localhost is not listed in iplookup.hosts');
  remote.folder.configure('hosts = localhost\n');
  expect((await sync()).stderr).toContain(
    'the host is at a loopback address, not a public one; the operator can allow it by iplookup.private_networks',
  );
  expect(remote.server.requests).toEqual([]);
});

test('a source is fetched through a proxy, which then resolves the host; NO_PROXY exempts from it', async () => {
  const proxy = await startHttpProxy({
    target: remote.server.origin.slice('https://'.length).replace('localhost', '127.0.0.1'),
  });
  const throughProxy = async (env: Record<string, string>) =>
    runSvccmd(['iplookup', 'sync'], { cwd: remote.folder.path, env });
  try {
    remote.folder.configure('hosts = git.example.com\n');
    writeFileSync(
      join(remote.folder.path, 'lookups.yaml'),
      'lookups: {geo: {layers: [{source: "https://git.example.com/base.csv", input_ip_format: cidr}]}}',
    );
    expect(await throughProxy({ HTTPS_PROXY: proxy.address })).toMatchObject({ code: 0 });
    expect([remote.folder.find('country'), proxy.requests]).toEqual(['CZ', ['CONNECT git.example.com:443']]);
    proxy.statuses.push(403);
    expect((await throughProxy({ HTTPS_PROXY: proxy.address })).stderr).toContain(
      'the proxy does not connect to git.example.com:443: it returned 403',
    );
    expect((await throughProxy({ HTTPS_PROXY: 'socks5://me:s3cret@proxy' })).stderr).toMatch(
      /HTTPS_PROXY: the proxy must have an http or https URL\n/,
    );
    await throughProxy({ HTTPS_PROXY: proxy.address, NO_PROXY: '.example.com' });
    expect(proxy.requests).toHaveLength(2);
  } finally {
    await proxy.stop();
  }
});

test('a file that is no longer declared is deleted after a day', async () => {
  await sync();
  const sources = join(remote.folder.lookups, '.sync', 'sources');
  const [former = ''] = readdirSync(sources);
  remote.server.answers['/other.csv'] = sendFile(ROWS);
  remote.folder.declareSource('/other.csv');
  await sync();
  expect(readdirSync(sources)).toHaveLength(2);
  utimesSync(join(sources, former), new Date(), new Date(Date.now() - 25 * 60 * 60_000));
  await sync();
  expect(readdirSync(sources)).toHaveLength(1);
  expect(readdirSync(sources)).not.toContain(former);
});

test('credentials are sent to the source’s host; neither they nor the query are shown or kept', async () => {
  writeFileSync(join(remote.folder.path, 'password.key'), randomBytes(32).toString('hex'), { mode: 0o600 });
  const { stdout: encrypted } = await runSvccmd(['encpwd', '--yaml'], {
    cwd: remote.folder.path,
    input: 'hunter2',
  });
  remote.folder.declareSource('/base.csv?license_key=s3cret', `, user: me, password: ${encrypted.trim()}`);
  const first = await sync();
  expect(first).toMatchObject({ code: 0 });
  expect(remote.server.requests[0]!.path).toBe('/base.csv?license_key=s3cret');
  const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`;
  expect(remote.server.requests[0]!.headers.authorization).toBe(basic);
  remote.server.answers['/base.csv'] = (_, response) => response.writeHead(403).end();
  const refused = await sync();
  expect(refused.stderr).toContain('cannot be fetched: the server returned 403');
  const kept = readdirSync(remote.folder.lookups, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  remote.server.answers['/base.csv'] = (_, response) =>
    response
      .writeHead(302, { location: `${remote.server.origin.replace('localhost', '127.0.0.1')}/moved.csv` })
      .end();
  remote.server.answers['/moved.csv'] = sendFile(ROWS);
  remote.folder.configure('hosts = localhost, 127.0.0.1\nprivate_networks = 127.0.0.0/8, ::1\n');
  remote.server.requests = [];
  expect((await sync()).code).toBe(0);
  expect(remote.server.requests.map(({ headers }) => headers.authorization)).toEqual([basic, undefined]);
  for (const secret of ['hunter2', 's3cret', basic]) {
    expect(first.all + refused.all).not.toContain(secret);
    expect(kept.join('')).not.toContain(secret);
  }
});

test('a URL must be safe to write down', async () => {
  const refusal = async (layer: string) => {
    writeFileSync(join(remote.folder.path, 'lookups.yaml'), `lookups: {geo: {layers: [{${layer}}]}}`);
    return (await sync()).stderr;
  };
  const plain = 'must be an https URL without credentials; use the user and password keys';
  expect(await refusal('source: "http://localhost/x.csv"')).toContain(plain);
  const withPassword = await refusal('source: "https://me:hunter2@localhost/x.csv"');
  expect(withPassword).toContain(plain);
  expect(withPassword).not.toContain('hunter2');
  expect(await refusal('source: "https://localhost/x.csv", user: me')).toContain(
    'must have both a user and a password',
  );
  expect(await refusal('source: x.csv, checksum: true')).toContain("'checksum' requires an https source");
});
