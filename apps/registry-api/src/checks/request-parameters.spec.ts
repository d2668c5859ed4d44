import { Problem } from '@svc/service-kit';
import { toRequestParameters } from './request-parameters.js';

/** What the caller is answered. */
const refusalOf = (body: unknown) => {
  try {
    toRequestParameters(body);
  } catch (error) {
    if (error instanceof Problem) return error.toDocument('', '');
  }
  throw new Error('it is accepted');
};

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['a string', 'response_type=code'],
])('%s are no parameters', (_case, body) => {
  expect(refusalOf(body)).toMatchObject({
    status: 400,
    detail: 'Send the parameters of the authorization request as a JSON object.',
  });
});

test('there are at most 100 parameters', () => {
  const body = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, '']));
  expect(refusalOf(body)).toMatchObject({ status: 400, detail: 'There are more than 100 parameters.' });
  delete body['p100'];
  expect(toRequestParameters(body)).toEqual(body);
});

test('each member that is neither a string nor a list of strings is named', () => {
  const message = 'is neither a string nor a list of strings';
  const violation = (field: string) => ({ field, code: 'type', message });
  expect(refusalOf({ state: 1, nonce: [], 'a/b': ['x', null], scope: 'openid' })).toMatchObject({
    status: 400,
    detail: `/state: ${message}; /nonce: ${message}; /a~1b: ${message}`,
    errors: [violation('/state'), violation('/nonce'), violation('/a~1b')],
  });
});

test('a list of one value is that value', () => {
  expect(toRequestParameters({ state: ['x'], nonce: ['a', 'b'], scope: '' })).toEqual({
    state: 'x',
    nonce: ['a', 'b'],
    scope: '',
  });
});
