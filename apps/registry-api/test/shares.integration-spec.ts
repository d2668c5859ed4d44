import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { jest } from '@jest/globals';
import { SharedPlaces } from '@svc/service-kit';
import { eventually } from '@svc/test-servers';
import { ChangeStreams } from '../src/changes/change-streams.js';
import { FULL_VIEW } from '../src/changes/feed-view.js';
import { ExportService } from '../src/export/export.service.js';
import { FollowedChanges } from './changes/followed-changes.js';
import { DATABASE_START_MS } from './on-both-databases.js';
import { ask, registration, type RunningRegistry, runRegistry } from './running-registry.js';

interface Token {
  readonly id: string;
  readonly value: string;
}

let registry: RunningRegistry;
beforeAll(async () => {
  registry = await runRegistry();
}, DATABASE_START_MS);
afterAll(async () => registry.close());

const newToken = async (scope: string): Promise<Token> => {
  const { body } = await registry.ask('POST', '/token', { body: { name: 'shares', scopes: [scope] } });
  return { id: String(body['id']), value: String(body['token']) };
};

const refusal = (detail: string) => ({ status: 429, detail, retryAfter: '2' });

const askFor = async (path: string, { value }: Token, headers = {}) => {
  const answer = await ask(registry.url + path, 'GET', value, { headers });
  const { status, body } = answer;
  return status === 200
    ? 200
    : { status, detail: body['detail'], retryAfter: answer.headers.get('retry-after') };
};

test('one token cannot take all change streams, nor one address with several tokens', async () => {
  const tokens = await Promise.all([1, 2, 3].map(async () => newToken('clients:read')));
  const [first, second, third] = tokens as [Token, Token, Token];
  const streams = registry.service.app.get(ChangeStreams, { strict: false });
  const open: { close(): unknown }[] = [];
  /** Most of them past HTTP, as if their requests had come from this address. */
  const follow = async ({ id, value }: Token, count: number) => {
    for (let inside = count - 50; inside > 0; inside -= 1) {
      const stream = await streams.open(undefined, value, {
        ...{ id, address: '127.0.0.1' },
        ...FULL_VIEW,
      });
      open.push({ close: () => stream.destroy() });
    }
    const some = Array.from({ length: 50 }, async () => FollowedChanges.open(registry, value));
    open.push(...(await Promise.all(some)));
  };
  const stream = { accept: 'text/event-stream' };
  await follow(first, 500);
  expect(await askFor('/clients/changes', first, stream)).toEqual(
    refusal(
      "This token already has 500 change streams in progress, the most it may have (the server's limit is 2000); try again later, or read the changes by paging.",
    ),
  );
  expect(await askFor('/clients/changes', first)).toBe(200);
  await follow(second, 500);
  expect(await askFor('/clients/changes', third, stream)).toEqual(
    refusal(
      "This address already has 1000 change streams in progress, the most it may have (the server's limit is 2000); try again later, or read the changes by paging.",
    ),
  );
  for (const one of open) one.close();
  await eventually(async () => expect(streams.count).toBe(0));
  await follow(third, 50);
  for (const one of open) one.close();
});

test('one token cannot take all exports', async () => {
  const [mine, theirs] = [await newToken('clients:read'), await newToken('clients:read')];
  const exports = registry.service.app.get(ExportService, { strict: false });
  const taker = { id: mine.id, name: 'mine', address: '192.0.2.1', ...FULL_VIEW };
  const filter = { selector: FULL_VIEW.selector, metadata: [] };
  const open = await Promise.all(
    Array.from({ length: 5 }, async () => exports.open({ filter }, 'ndjson', taker)),
  );
  expect(await askFor('/clients/export', mine)).toEqual(
    refusal(
      "This token already has 5 exports in progress, the most it may have (the server's limit is 20); try again when one has finished.",
    ),
  );
  expect(await askFor('/clients/export', theirs)).toBe(200);
  open[0]?.content.destroy();
  await once(open[0]!.content, 'close');
  expect(await askFor('/clients/export', mine)).toBe(200);
  for (const { content } of open) content.destroy();
});

test('one token cannot take all imports', async () => {
  const [mine, theirs] = [await newToken('clients:write'), await newToken('clients:write')];
  const begin = ({ value }: Token): ClientRequest => {
    const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/x-ndjson' };
    const sent = request(`${registry.url}/clients/import`, { method: 'POST', headers });
    sent.write(`${JSON.stringify(registration({ client_id: 'imported' }))}\n`);
    return sent;
  };
  const answerTo = async (sent: ClientRequest) => {
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString()) as Record<string, unknown>;
    const { statusCode: status, headers } = response;
    return status === 200 ? 200 : { status, detail: body['detail'], retryAfter: headers['retry-after'] };
  };
  const taken = jest.spyOn(SharedPlaces.prototype, 'take');
  const underWay = [begin(mine), begin(mine)];
  await eventually(async () => expect(taken).toHaveBeenCalledTimes(underWay.length));
  expect(await answerTo(begin(mine))).toEqual(
    refusal(
      "This token already has 2 imports in progress, the most it may have (the server's limit is 4); try again when one has finished.",
    ),
  );
  expect(await answerTo(begin(theirs))).toBe(200);
  for (const sent of underWay) expect(await answerTo(sent)).toBe(200);
});
