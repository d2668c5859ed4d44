import { addressText, isLoopback, parseZookeeperAddresses } from './zookeeper-addresses.js';

test.each([
  ['one server', 'zk:2182', ['zk:2182'], ''],
  ['the default port', 'zk', ['zk:2181'], ''],
  ['several servers, with spaces', 'a:1, b:2 ,c', ['a:1', 'b:2', 'c:2181'], ''],
  ['a chroot', 'a:1,b:2/x/y/', ['a:1', 'b:2'], '/x/y'],
  ['IPv6', '[::1]:2181,[fe80::1]', ['[::1]:2181', '[fe80::1]:2181'], ''],
  ['a scheme', 'zk://a:1/x', ['a:1'], '/x'],
  ['an @ in the chroot', 'a:1/x@y', ['a:1'], '/x@y'],
])('%s', (_case, text, servers, chroot) => {
  const addresses = parseZookeeperAddresses(text);
  expect(addresses.servers.map(addressText)).toEqual(servers);
  expect(addresses.chroot).toBe(chroot);
});

const NO_USER = 'must not contain a user or password; set destination.auth instead';

test.each([
  'svc:s3cret@zk:2181',
  'zk://svc:s3cret@zk:2181,zk2/x',
  'zk1,svc:s3cret@zk2',
  'svc:s3,cret@zk',
  'svc:s3/cret@zk',
  'svc:s3//cret@zk',
  'svc:1234/s3cret@zk:2181',
  'svc:1234/s3/cret@zk1,zk2:2181/x',
])('%s is rejected, without repeating the password', (text) => {
  expect(() => parseZookeeperAddresses(text)).toThrow(new RangeError(NO_USER));
});

test.each(['zk:70000/x@y', 'zk:2181/x//a@y', 'svc:70000/s3cret@zk'])(
  '%s is rejected without repeating it, since it may have a password',
  (text) => {
    const message = 'is not host:port/path with a port from 1 to 65535 and a path without empty names';
    expect(() => parseZookeeperAddresses(text)).toThrow(new RangeError(message));
  },
);

test.each([
  ['nothing', ' ', 'no server given; write host:port, or several separated by commas'],
  ['no port after the colon', 'zk:', '"zk:" is not host:port ([address]:port for IPv6)'],
  ['a port that does not exist', 'zk:70000', '"zk:70000" is not host:port ([address]:port for IPv6)'],
  ['IPv6 without brackets', '::1:2181', '"::1:2181" is not host:port ([address]:port for IPv6)'],
  ['brackets around a host name', '[zk]:2181', '"[zk]:2181" is not host:port ([address]:port for IPv6)'],
  ['an empty name in the chroot', 'zk:2181/a//b', 'the path /a//b contains an empty name'],
])('%s is rejected', (_case, text, message) => {
  expect(() => parseZookeeperAddresses(text)).toThrow(new RangeError(message));
});

test('recognizes loopback hosts', () => {
  const hosts = ['127.0.0.1', '127.9.9.9', 'localhost', '::1', '10.0.0.1', '127.0.0.1.example.com'];
  expect(hosts.filter((host) => isLoopback({ host, port: 1 }))).toEqual(hosts.slice(0, 4));
});
