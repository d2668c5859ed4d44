import { isExempt } from './no-proxy.js';

test.each([
  ['https://git.example.com/x.git', 'git.example.com', true],
  ['https://git.example.com/x.git', 'example.com', true],
  ['https://git.example.com/x.git', '.example.com', true],
  ['https://git.example.com/x.git', '*.example.com', true],
  ['https://git.example.com/x.git', 'EXAMPLE.com', true],
  ['https://example.com/x.git', '.example.com', true],
  ['https://git.example.com/x.git', 'ample.com', false],
  ['https://git.example.com/x.git', '*', true],
  ['https://git.example.com/x.git', 'other, git.example.com', true],
  ['https://git.example.com/x.git', 'other git.example.com', true],
  ['https://git.example.com/x.git', 'git.example.com:443', true],
  ['https://git.example.com/x.git', 'git.example.com:8443', false],
  ['https://git.example.com:8443/x.git', 'example.com:8443', true],
  ['http://git.example.com/x.git', 'git.example.com:80', true],
  ['https://10.1.2.3/x.git', '10.0.0.0/8', true],
  ['https://11.1.2.3/x.git', '10.0.0.0/8', false],
  ['https://10.1.2.3/x.git', '10.1.2.3', true],
  ['https://10.1.2.3/x.git', '2.3', false],
  ['https://10.1.2.3/x.git', '10.0.0.0/99', false],
  ['https://[fd00::1]/x.git', 'fd00::/8', true],
  ['https://[fd00::1]/x.git', 'fd00::1', true],
  ['https://[fd00::1]:8443/x.git', '[fd00::1]:8443', true],
  ['https://git.example.com/x.git', '10.0.0.0/8', false],
  ['https://git.example.com/x.git', '', false],
  ['https://git.example.com/x.git', '. , ,', false],
])('%s with NO_PROXY=%s: %s', (url, noProxy, expected) => {
  expect(isExempt(new URL(url), noProxy)).toBe(expected);
});
