import { chooseProxy } from './choose-proxy.js';

const HTTPS = 'https://git.example.com/x.git';
const HTTP = 'http://git.example.com/x.git';
const chosen = (target: string, configured?: string, environment: Record<string, string> = {}) =>
  chooseProxy(target, configured, environment)?.url.origin;

test('the environment names a proxy for each scheme; lower-case names take precedence', () => {
  const environment = { HTTPS_PROXY: 'http://a:3128', HTTP_PROXY: 'http://b:3128' };
  expect(chosen(HTTPS, undefined, environment)).toBe('http://a:3128');
  expect(chosen(HTTP, undefined, environment)).toBe('http://b:3128');
  expect(chosen(HTTPS, undefined, { ...environment, https_proxy: 'http://c:3128' })).toBe('http://c:3128');
  expect(chosen(HTTPS, undefined, { HTTPS_PROXY: ' ' })).toBeUndefined();
  expect(chosen(HTTPS)).toBeUndefined();
});

test('source.proxy overrides the environment, and none turns proxies off', () => {
  const environment = { HTTPS_PROXY: 'http://a:3128' };
  expect(chosen(HTTPS, 'https://own', environment)).toBe('https://own');
  expect(chosen(HTTPS, 'own:3128', environment)).toBe('http://own:3128');
  expect(chosen(HTTPS, 'None', environment)).toBeUndefined();
});

test('NO_PROXY exempts a host from either', () => {
  const environment = { HTTPS_PROXY: 'http://a:3128', NO_PROXY: 'example.com' };
  expect(chosen(HTTPS, undefined, environment)).toBeUndefined();
  expect(chosen(HTTPS, 'http://own:3128', environment)).toBeUndefined();
  expect(chosen(HTTPS, undefined, { ...environment, no_proxy: 'other' })).toBe('http://a:3128');
  expect(chosen(HTTPS, undefined, { ...environment, no_proxy: '' })).toBeUndefined();
});

test('loopback addresses use a proxy only if it is configured', () => {
  const environment = { HTTP_PROXY: 'http://a:3128' };
  expect(chosen('http://127.0.0.1:3000/x.git', undefined, environment)).toBeUndefined();
  expect(chosen('http://127.0.0.1:3000/x.git', 'own:3128', environment)).toBe('http://own:3128');
});

test('credentials are split at the last @ and the first colon, and decoded', () => {
  expect(chooseProxy(HTTPS, 'http://us%40er:p@ss%3A:word@own:3128/', {})).toMatchObject({
    url: new URL('http://own:3128'),
    user: 'us@er',
    password: 'p@ss::word',
  });
});

test.each([
  ['socks5://user:s3cret@own:1080', 'the proxy must have an http or https URL'],
  ['http://user:s3cret@', /^write the proxy as/],
  ['http://user:s3cret@own:99999', /^write the proxy as/],
  ['http://user:s3cret%zz@own:3128', /^write the proxy as/],
  ['http://user:s3cret@own:3128/path', /^write the proxy as/],
])('%s is rejected, without repeating it', (address, message) => {
  for (const [configured, environment, setting] of [
    [address, {}, 'source.proxy'],
    [undefined, { HTTPS_PROXY: address }, 'HTTPS_PROXY'],
  ] as const) {
    const choose = () => chooseProxy(HTTPS, configured, environment);
    expect(choose).toThrow(message);
    expect(choose).toThrow(
      expect.objectContaining({ setting, message: expect.not.stringContaining('s3cret') }),
    );
  }
});
