import { cookieProblems } from './cookie-grammar.js';

const CONTEXT = { cookieName: 'SvcClient_ABC', cookiePrefix: 'SvcClient' };

test('cookies within the grammar have no problem', () => {
  const cookies = {
    theme: 'dark',
    'x-id': 'a=b/c+d==',
    quoted: '"in quotes"'.replace(' ', '_'),
    empty: '',
    '!#$': '(x)',
  };
  expect(cookieProblems(cookies, CONTEXT)).toEqual([]);
});

test.each(['', 'a b', 'a=b', 'a;b', 'a,b', 'a"b', 'a\r\nSet-Cookie: x', 'ä', 'a/b', '[a]'])(
  '%j is not a cookie name',
  (name) => {
    expect(cookieProblems({ [name]: 'v' }, CONTEXT)).toEqual([
      expect.objectContaining({ code: 'cookie_name' }),
    ]);
  },
);

test.each(['a b', 'a;b', 'a,b', 'a\\b', 'a"b', '"half', 'a\r\nSet-Cookie: x=y', 'ä', '\u007f', '\t'])(
  '%j is no cookie value',
  (value) => {
    expect(cookieProblems({ name: value }, CONTEXT)).toEqual([
      expect.objectContaining({ code: 'cookie_value' }),
    ]);
  },
);

test.each([1, true, null, {}, []])('the value %j is not a string', (value) => {
  expect(cookieProblems({ name: value }, CONTEXT)).toEqual([
    expect.objectContaining({ code: 'cookie_value_type' }),
  ]);
});

test.each(['SvcClient_ABC', 'svcclient_abc', 'SvcClient_OTHER'])('%s is a session cookie', (name) => {
  expect(cookieProblems({ [name]: 'v' }, CONTEXT)).toEqual([
    {
      field: `/${name}`,
      code: 'session_cookie',
      message: 'the cookie is the name of a session cookie, which the authorization server alone sets',
    },
  ]);
});

test('a session cookie from before the prefix was changed is one still', () => {
  const context = { cookieName: 'Former_ABC', cookiePrefix: 'SvcClient' };
  expect(cookieProblems({ Former_ABC: 'v', Former_XYZ: 'v' }, context)).toEqual([
    expect.objectContaining({ field: '/Former_ABC', code: 'session_cookie' }),
  ]);
});

test('a cookie has at most 4,096 bytes, name and value together', () => {
  expect(cookieProblems({ name: 'v'.repeat(4092) }, CONTEXT)).toEqual([]);
  expect(cookieProblems({ name: 'v'.repeat(4093) }, CONTEXT)).toEqual([
    expect.objectContaining({ code: 'cookie_size' }),
  ]);
});

test('there are at most 50 cookies', () => {
  const cookies = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, 'v']));
  expect(cookieProblems(cookies(50), CONTEXT)).toEqual([]);
  expect(cookieProblems(cookies(51), CONTEXT)).toEqual([
    expect.objectContaining({ field: '', code: 'cookie_count' }),
  ]);
});

test('a __Host- cookie cannot have a domain', () => {
  expect(cookieProblems({ '__Host-id': 'v' }, CONTEXT)).toEqual([]);
  expect(cookieProblems({ '__Host-id': 'v' }, { ...CONTEXT, cookieDomain: 'example.com' })).toEqual([
    expect.objectContaining({ code: 'host_prefix' }),
  ]);
});

test('the place of a problem is a JSON pointer', () => {
  expect(cookieProblems({ 'a/b~c': 'v' }, CONTEXT)).toEqual([expect.objectContaining({ field: '/a~1b~0c' })]);
});
