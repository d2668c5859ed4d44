import { userInfo } from 'node:os';
import { ConnectionUrlError, parseConnectionUrl } from './connection-url.js';

const server = (host: string, port = 5432) => ({ host, port });

// Each as `psql` (libpq 18) reads it.
test.each([
  ['postgresql://', [server('localhost')]],
  ['postgres://db', [server('db')]],
  ['postgresql://db:6000/registry', [server('db', 6000)]],
  ['postgresql://db1,db2:5433,db3/registry', [server('db1'), server('db2', 5433), server('db3')]],
  ['postgresql://[2001:db8::1]:5433,[::1]/registry', [server('2001:db8::1', 5433), server('::1')]],
  ['postgresql://%2Fvar%2Frun%2Fpostgresql/registry', [server('/var/run/postgresql')]],
  ['postgresql:///registry?host=/tmp&port=5433', [server('/tmp', 5433)]],
  ['postgresql:///registry?host=db1,db2', [server('db1'), server('db2')]],
  ['postgresql://ignored:1/registry?host=db1,db2&port=5433,5434', [server('db1', 5433), server('db2', 5434)]],
  ['postgresql:///registry?host=db1,db2&port=6000', [server('db1', 6000), server('db2', 6000)]],
])('%s: its servers', (url, servers) => {
  expect(parseConnectionUrl(url).servers).toEqual(servers);
});

test('user, password and database are percent-decoded', () => {
  expect(parseConnectionUrl('postgresql://o%40ps:p%3Aa%2Fs%25@db/my%20registry')).toMatchObject({
    user: 'o@ps',
    password: 'p:a/s%',
    database: 'my registry',
  });
});

test('parameters override the parts before them', () => {
  const url = 'postgresql://one:p@db/one?user=two&password=q&dbname=two';
  expect(parseConnectionUrl(url)).toMatchObject({ user: 'two', password: 'q', database: 'two' });
});

test('the user defaults to the system’s, and the database to the user’s name', () => {
  const { username } = userInfo();
  expect(parseConnectionUrl('postgresql://db')).toMatchObject({ user: username, database: username });
  expect(parseConnectionUrl('postgresql://ops@db')).toMatchObject({ user: 'ops', database: 'ops' });
});

test('the other parameters', () => {
  const url =
    'postgresql://db?application_name=app&connect_timeout=7&options=-c%20search_path%3Dr&keepalives=0' +
    '&target_session_attrs=read-write&load_balance_hosts=random';
  expect(parseConnectionUrl(url)).toMatchObject({
    applicationName: 'app',
    connectTimeoutMs: 7_000,
    options: '-c search_path=r',
    keepAlive: false,
    sessionAttributes: 'read-write',
    isBalanced: true,
  });
  expect(parseConnectionUrl('postgresql://db')).toMatchObject({
    applicationName: undefined,
    connectTimeoutMs: undefined,
    options: undefined,
    keepAlive: true,
    sessionAttributes: 'any',
    isBalanced: false,
  });
});

test('parameters that only tune the network, or request the default, are accepted', () => {
  const url =
    'postgresql://db?client_encoding=UTF8&gssencmode=prefer&keepalives_idle=30&keepalives_interval=5' +
    '&keepalives_count=3&tcp_user_timeout=9000&sslcompression=0&sslsni=1&sslnegotiation=postgres';
  expect(parseConnectionUrl(url)).toEqual(parseConnectionUrl('postgresql://db'));
});

test.each([
  ['0', undefined],
  ['-1', undefined],
  ['1', 2_000],
  ['2', 2_000],
])('connect_timeout=%s: %s ms', (seconds, milliseconds) => {
  const { connectTimeoutMs } = parseConnectionUrl(`postgresql://db?connect_timeout=${seconds}`);
  expect(connectTimeoutMs).toBe(milliseconds);
});

test.each([
  ['', { mode: 'prefer' }],
  ['sslmode=disable', { mode: 'disable' }],
  ['sslmode=require', { mode: 'require' }],
  ['ssl=true', { mode: 'require' }],
  ['sslmode=require&sslrootcert=/ca.pem', { mode: 'verify-ca', rootCertificate: '/ca.pem' }],
  ['sslmode=verify-full&sslrootcert=/ca.pem', { mode: 'verify-full', rootCertificate: '/ca.pem' }],
  ['sslrootcert=system', { mode: 'verify-full', rootCertificate: undefined }],
  ['sslmode=require&channel_binding=require', { mode: 'require', isChannelBound: true }],
  ['channel_binding=prefer', { mode: 'prefer', isChannelBound: false }],
  [
    'sslmode=verify-ca&sslcert=/c.pem&sslkey=/k.pem&sslpassword=p',
    { mode: 'verify-ca', certificate: '/c.pem', key: '/k.pem', passphrase: 'p' },
  ],
])('TLS by %s', (parameters, tls) => {
  expect(parseConnectionUrl(`postgresql://db?${parameters}`).tls).toMatchObject(tls);
});

test.each([
  ['http://db', 'must begin with postgresql:// or postgres://'],
  ['postgresql://2001:db8::1/r', 'a port is not a number from 1 to 65535'],
  ['postgresql://[::1/r', 'IPv6 addresses must be in brackets'],
  ['postgresql://db:http/r', 'a port is not a number from 1 to 65535'],
  ['postgresql://db:65536/r', 'a port is not a number from 1 to 65535'],
  ['postgresql:///r?host=a,b,c&port=1,2', 'there are 3 hosts, but 2 ports'],
  ['postgresql://db?sslmode=no-verify', 'sslmode "no-verify" is not one of disable, allow, prefer, require'],
  [
    'postgresql://db?target_session_attrs=master',
    'target_session_attrs "master" is not one of any, read-write',
  ],
  ['postgresql://db?connect_timeout=soon', 'connect_timeout "soon" is not a whole number of seconds'],
  ['postgresql://db?sslcert=/c.pem', 'sslcert and sslkey must be given together'],
  [
    'postgresql://db?sslmode=require&sslrootcert=system',
    'sslmode "require" is too weak for sslrootcert=system',
  ],
  ['postgresql://db?channel_binding=yes', 'channel_binding "yes" is not one of disable, prefer, require'],
  ['postgresql://db?client_encoding=latin1', 'client_encoding "latin1" is not supported'],
  ['postgresql://db?sslnegotiation=direct', 'sslnegotiation "direct" is not supported'],
  ['postgresql://db?constructor=1', 'parameter "constructor" is unknown or not supported'],
  ['postgresql://db?shoe_size=44', 'parameter "shoe_size" is unknown or not supported'],
  ['postgresql://db?sslmode', 'parameter "sslmode" has no value'],
  ['postgresql://db/r%00', 'the database name contains %00'],
])('%s: %s', (url, message) => {
  expect(() => parseConnectionUrl(url)).toThrow(ConnectionUrlError);
  expect(() => parseConnectionUrl(url)).toThrow(message);
});

test('a wrongly encoded password is not shown', () => {
  const fails = () => parseConnectionUrl('postgresql://ops:hunter2%zz@db/r');
  expect(fails).toThrow(
    'the password has a "%" that is not followed by two hexadecimal digits; write it as %25',
  );
  expect(fails).not.toThrow(/hunter2/);
});

test.each([
  'postgres://registry:aSECRET/x@db/r',
  'postgres://registry:12345/SECRET@db:5432/r',
  'postgres://registry:a?SECRET@db/r',
  'postgres://registry:1?SECRET=x@db/r',
  'postgres://registry:1?host=h&SECRET@db/r',
  'postgres://registry:p@ss?SECRET@db/r',
  'postgres://registry:p@ss?SECRET=x@db/r',
  'postgres://registry:1?sslmode=SECRET@db/r',
  'postgres://registry:a@1?connect_timeout=SECRET@db/r',
])('%s: what may be part of a password is not shown', (url) => {
  const fails = () => parseConnectionUrl(url);
  expect(fails).toThrow(/write \/ as %2F, \? as %3F and @ as %40$/);
  expect(fails).not.toThrow(/SECRET/);
});

test('an "@" in a parameter is read', () => {
  expect(parseConnectionUrl('postgresql://db/r?user=ops@corp&password=p@ss')).toMatchObject({
    user: 'ops@corp',
    password: 'p@ss',
  });
});
