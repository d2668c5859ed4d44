import { DATABASE_START_MS } from '../on-both-databases.js';
import { pathOf, registration, type RunningRegistry, runRegistry } from '../running-registry.js';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry({ IF_MATCH: 'required' });
}, DATABASE_START_MS);
afterAll(async () => registry.close());

describe('with IF_MATCH=required', () => {
  test.each([
    ['PUT', registration({ client_name: 'Renamed' })],
    ['PATCH', { client_name: 'Renamed' }],
    ['DELETE', undefined],
  ])('%s without it answers 428 and changes nothing', async (method, sent) => {
    const { body, headers } = await registry.ask('POST', '/client', { body: registration() });
    const path = pathOf(body['client_id']);
    const refused = await registry.ask(method, path, { body: sent });
    expect(refused.status).toBe(428);
    expect(refused.body).toEqual({
      type: 'about:blank',
      title: 'Precondition Required',
      status: 428,
      detail: 'This registry requires If-Match: send the ETag of the client as you last read it.',
      instance: path,
      request_id: expect.any(String),
      error: 'invalid_request',
      error_description: 'This registry requires If-Match: send the ETag of the client as you last read it.',
    });
    expect((await registry.ask('GET', path)).headers.get('etag')).toBe(headers.get('etag'));
  });

  test.each([
    ['PUT', 200],
    ['PATCH', 200],
    ['DELETE', 204],
  ])('%s with the current ETag, or with *, succeeds', async (method, status) => {
    for (const tag of ['current', '*']) {
      const { body, headers } = await registry.ask('POST', '/client', { body: registration() });
      const ifMatch = tag === '*' ? '*' : (headers.get('etag') ?? '');
      const sent = method === 'DELETE' ? {} : { body: registration({ client_name: 'Renamed' }) };
      const answer = await registry.ask(method, pathOf(body['client_id']), {
        ...sent,
        headers: { 'if-match': ifMatch },
      });
      expect([tag, answer.status]).toEqual([tag, status]);
    }
  });

  test('without it, an unknown Client cannot be distinguished from a known one', async () => {
    expect((await registry.ask('DELETE', '/client/nobody')).status).toBe(428);
  });
});
