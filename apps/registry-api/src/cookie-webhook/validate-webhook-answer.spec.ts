import { validateWebhookAnswer } from './validate-webhook-answer.js';

const CONTEXT = { cookieName: 'SvcClient_ABC', cookiePrefix: 'SvcClient' };

const judged = (body: string, overrides: { status?: number; contentType?: string } = {}) =>
  validateWebhookAnswer(
    { status: 200, contentType: 'application/json', body: Buffer.from(body), ...overrides },
    CONTEXT,
  );

const codes = (body: string, overrides: { status?: number; contentType?: string } = {}) =>
  judged(body, overrides).problems.map(({ code }) => code);

test('an object of cookies is what a webhook answers with', () => {
  expect(judged('{"theme":"dark"}')).toEqual({ cookies: { theme: 'dark' }, problems: [] });
  expect(judged('{}')).toEqual({ cookies: {}, problems: [] });
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

test('a body that is not UTF-8 cannot be read', () => {
  const answer = { status: 200, contentType: 'application/json', body: Buffer.from([0x7b, 0xff, 0x7d]) };
  expect(validateWebhookAnswer(answer, CONTEXT).problems).toEqual([
    expect.objectContaining({ code: 'json' }),
  ]);
});

test('any status but success is a fault, whatever the body says', () => {
  expect(judged('{"theme":"dark"}', { status: 500 })).toEqual({
    problems: [{ field: '', code: 'status', message: 'the webhook answers with 500 instead of 200' }],
  });
  expect(codes('{}', { status: 302 })).toEqual(['redirect']);
  expect(codes('{}', { status: 199 })).toEqual(['status']);
  expect(codes('{}', { status: 299 })).toEqual([]);
});
