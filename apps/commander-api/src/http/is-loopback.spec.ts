import { isLoopback } from './is-loopback.js';

test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1', 'localhost', 'LocalHost'])(
  '%s is loopback',
  (address) => expect(isLoopback(address)).toBe(true),
);

test.each(['0.0.0.0', '::', '128.0.0.1', '10.0.0.1', '::ffff:10.0.0.1', '127.0.0.1.evil.example', 'svc', ''])(
  '%j is not',
  (address) => expect(isLoopback(address)).toBe(false),
);
