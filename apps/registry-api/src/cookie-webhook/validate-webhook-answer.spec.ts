import { validateWebhookAnswer, cookieProblems } from './validate-webhook-answer.js';

const CONTEXT = { cookieName: 'SvcClient_ABC', cookiePrefix: 'SvcClient' };

const validated = (body: string, overrides: { status?: number; contentType?: string } = {}) =>
  validateWebhookAnswer(
    { status: 200, contentType: 'application/json', body: Buffer.from(body), ...overrides },
    CONTEXT,
  );

const codes = (body: string, overrides: { status?: number; contentType?: string } = {}) =>
  validated(body, overrides).problems.map(({ code }) => code);

test('a webhook returns an object of cookies', () => {
  expect(validated('{"theme":"dark"}')).toEqual({ cookies: { theme: 'dark' }, problems: [] });
  expect(validated('{}')).toEqual({ cookies: {}, problems: [] });
});

test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.cookies+json'])(
  'the type %s says JSON',
  (contentType) => {
    expect(codes('{}', { contentType })).toEqual([]);
  },
);

test.each(['', 'text/html', 'application/jsonp', 'text/json'])('the type %j does not', (contentType) => {
  expect(codes('{}', { contentType })).toEqual(['content_type']);
});

test.each(['[]', '"text"', 'null', '1'])('%s is not an object of cookies', (body) => {
  expect(codes(body)).toEqual(['type']);
});

test.each(['', '{', '{"a":"1","a":"2"}', '{"__proto__":"x"}', '{"a":"\\u0000"}', '[['.repeat(40)])(
  '%j cannot be read',
  (body) => {
    expect(codes(body)).toEqual(['json']);
  },
);

test('a body that is not UTF-8 is rejected', () => {
  const answer = { status: 200, contentType: 'application/json', body: Buffer.from([0x7b, 0xff, 0x7d]) };
  expect(validateWebhookAnswer(answer, CONTEXT).problems).toEqual([
    expect.objectContaining({ code: 'json' }),
  ]);
});

test('any status but success is an error, whatever the body says', () => {
  expect(validated('{"theme":"dark"}', { status: 500 })).toEqual({
    problems: [{ field: '', code: 'status', message: 'the webhook returned 500 instead of 200' }],
  });
  expect(codes('{}', { status: 302 })).toEqual(['redirect']);
  expect(codes('{}', { status: 199 })).toEqual(['status']);
  expect(codes('{}', { status: 299 })).toEqual([]);
});

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
      message: 'the cookie is the name of a session cookie, which only the authorization server may set',
    },
  ]);
});

test('a session cookie with the former prefix still counts', () => {
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
