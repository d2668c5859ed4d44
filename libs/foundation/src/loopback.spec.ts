import { isIpv4, isLoopbackAddress, isLoopbackHost, isLoopbackSocket } from './loopback.js';

test.each(['127.0.0.1', '127.0.0.0', '127.255.255.255', '::1', '[::1]', '0:0:0:0:0:0:0:1', '[0::1]'])(
  '%s is a loopback address',
  (host) => {
    expect([isLoopbackAddress(host), isLoopbackHost(host), isLoopbackSocket(host)]).toEqual([
      true,
      true,
      true,
    ]);
  },
);

test.each([
  ...['127.999.1.1', '127.256.0.1', '127.1', '127.0.0', '127.0.0.1.', '127.0.0.1.example.com', '127.0.0.01'],
  ...['128.0.0.1', '126.255.255.255', '0.0.0.0', '::', '::2', '[::2]', '[::1', '::1]', '::1%lo', ':', ''],
  ...[
    '0x7f.0.0.1',
    '2130706433',
    'localhost.example.com',
    'localhost.',
    '[127.0.0.1]',
    '127.0.0.1:80',
    '::1/',
    '[::1]:80',
    '[::1]/',
  ],
  ...['10.0.0.1', '::ffff:10.0.0.1', '127.0.0.1.evil.example', 'svc', 'me@[::1]'],
])('%j is not loopback', (host) => {
  expect([isLoopbackAddress(host), isLoopbackHost(host), isLoopbackSocket(host)]).toEqual([
    false,
    false,
    false,
  ]);
});

test.each([
  ['127.1.2.3', true],
  ['localhost', true],
  ['LocalHost', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['::FFFF:127.9.9.9', true],
  ['::ffff:192.0.2.1', false],
  ['::ffff:127.999.1.1', false],
  ['::127.0.0.1', false],
])('of a socket, %s is loopback: %s', (address, isLoopback) => {
  expect(isLoopbackSocket(address)).toBe(isLoopback);
});

test('a mapped address in a URL is not loopback', () => {
  expect(isLoopbackHost('[::ffff:127.0.0.1]')).toBe(false);
});

test.each(['0.0.0.0', '127.0.0.1', '192.0.2.255', '255.255.255.255'])('%s is an IPv4 address', (host) => {
  expect(isIpv4(host)).toBe(true);
});

test.each(['256.0.0.1', '1.2.3', '1.2.3.4.', '1.2.3.4.5', '01.2.3.4', '1.2.3.04', '1.2.3.4 ', '', '1..2.3'])(
  '%j is not an IPv4 address',
  (host) => {
    expect(isIpv4(host)).toBe(false);
  },
);

test('loopback is 127.0.0.0/8 and ::1, and localhost by name', () => {
  for (const host of ['127.0.0.1', '127.255.255.255', '[::1]', '[0:0::1]']) {
    expect([isLoopbackAddress(host), isLoopbackHost(host)]).toEqual([true, true]);
  }
  expect([isLoopbackAddress('localhost'), isLoopbackHost('localhost'), isLoopbackHost('LocalHost')]).toEqual([
    false,
    true,
    true,
  ]);
  for (const host of [
    '127.1',
    '128.0.0.1',
    '127.0.0.1.example',
    '[::2]',
    '[::ffff:7f00:1]',
    'localhost.example',
    '',
  ]) {
    expect([isLoopbackAddress(host), isLoopbackHost(host)]).toEqual([false, false]);
  }
});
