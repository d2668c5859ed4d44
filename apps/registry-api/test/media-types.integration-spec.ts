import { DATABASE_START_MS } from './on-both-databases.js';
import { type RunningRegistry, runRegistry } from './running-registry.js';

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry();
}, DATABASE_START_MS);
afterAll(async () => registry.close());

const JSON_TYPE = 'application/json';
const PATCH_TYPES = 'application/merge-patch+json, application/json';

test.each([
  ['POST', '/client', JSON_TYPE, null],
  ['PUT', '/client/x', JSON_TYPE, null],
  ['PATCH', '/client/x', PATCH_TYPES, PATCH_TYPES],
  ['POST', '/clients/bulk', JSON_TYPE, null],
  ['POST', '/clients/import', 'application/x-ndjson, application/ndjson', null],
  ['POST', '/client/x/check/secret', JSON_TYPE, null],
])(
  '%s %s with another media type answers 415 and says what is taken',
  async (method, path, taken, patches) => {
    for (const type of ['text/xml', 'application/json-patch+json']) {
      const { status, headers } = await registry.ask(method, path, {
        body: '<x/>',
        headers: { 'content-type': type },
      });
      expect([status, headers.get('accept'), headers.get('accept-patch')]).toEqual([415, taken, patches]);
    }
  },
);
