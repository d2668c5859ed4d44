import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LookupFolder, makeLookupFolder, removeLookupFolders } from './lookup-folder.js';
import { type LookupServer, startLookupServer } from './lookup-server.js';

afterAll(removeLookupFolders);

const CSV = 'ip_from,ip_to,site\n10.0.0.0,10.0.255.255,Head office\n';

let folder: LookupFolder;
let server: LookupServer;

beforeAll(async () => {
  folder = makeLookupFolder();
  folder.write(
    'many.csv',
    `ip_from,ip_to,v\n${Array.from({ length: 600_000 }, (_, i) => `${i * 9},${i * 9 + 3},v${i % 999}\n`).join('')}`,
  );
  server = await startLookupServer(folder);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

type Answer = [status: number, document: Record<string, unknown>, headers: IncomingMessage['headers']];

/** A request whose body is sent bit by bit. */
interface Upload {
  readonly request: ClientRequest;
  readonly answer: Promise<Answer>;
}

function upload(path: string, type = 'text/csv'): Upload {
  const request = httpRequest(`${server.url}/iplookup${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': type },
  });
  request.on('error', () => undefined);
  request.write(CSV.slice(0, 10));
  return { request, answer: answerTo(request) };
}

async function answerTo(request: ClientRequest): Promise<Answer> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const document = JSON.parse(await text(response)) as Record<string, unknown>;
  return [response.statusCode!, document, response.headers];
}

function finish({ request, answer }: Upload): Promise<Answer> {
  request.end(CSV.slice(10));
  return answer;
}

/** Uploads that the server has begun to store. */
const stored = () => readdirSync(folder.lookups).filter((name) => name.startsWith('.upload-')).length;

async function until(met: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await met());) {
    if (Date.now() > end) throw new Error('it did not happen');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What another caller is answered once a build has begun. */
async function refusal(): Promise<Answer | undefined> {
  let refused: Answer | undefined;
  for (let patienceMs = 50; refused?.[0] !== 409 && patienceMs < 4_000; patienceMs *= 1.5) {
    const late = upload('/from-csv?input_ip_format=ipv4&lookup_name=late');
    refused = await Promise.race([late.answer, sleep(patienceMs, undefined)]);
    late.request.destroy();
    late.answer.catch(() => undefined);
  }
  return refused;
}

test.each([
  ['/from-csv?lookup_name=a&separator=ab', 'text/csv', 'the separator "ab" is not valid'],
  [
    '/from-csv?lookup_name=a&zone_name=b',
    'text/csv',
    'zone_name is an alias of lookup_name: pass only one of them',
  ],
  ['/from-csv?lookup_name=..', 'text/csv', '".." is not a valid lookup name'],
  ['/from-vendor?file_name=any.csv&separator=ab', 'text/csv', 'the separator "ab" is not valid'],
  ['/from-vendor?file_name=any.zip&separator=ab', 'application/zip', 'the separator "ab" is not valid'],
])('%s (%s) is refused before the input has come', async (path, type, detail) => {
  const { request, answer } = upload(path, type);
  const [status, document] = await answer;
  expect([status, document['detail']]).toEqual([400, expect.stringContaining(detail)]);
  expect(readdirSync(folder.path).includes('out') ? stored() : 0).toBe(0);
  request.destroy();
});

test('of one token, two inputs are received concurrently; a third is asked to retry', async () => {
  const sent = ['one', 'two'].map((name) => upload(`/from-csv?input_ip_format=ipv4&lookup_name=${name}`));
  await until(() => readdirSync(folder.path).includes('out') && stored() === 2);
  const third = upload('/from-csv?input_ip_format=ipv4&lookup_name=three');
  const [status, document, headers] = await third.answer;
  expect([status, document['detail'], headers['retry-after']]).toEqual([
    429,
    "This token already has 2 uploads in progress, the most it may have (the server's limit is 3); try again when one has finished.",
    '10',
  ]);
  third.request.destroy();
  const answers = await Promise.all(sent.map(finish));
  expect(answers.map(([code, { lookup }]) => [code, lookup])).toEqual([
    [200, 'one'],
    [200, 'two'],
  ]);
  expect(stored()).toBe(0);
});

test('during a build an input is rejected before it arrives; one that was being received waits for its turn', async () => {
  const early = upload('/from-csv?input_ip_format=ipv4&lookup_name=early');
  await until(() => stored() === 1);
  const building = server.post('/from-csv', { file_name: 'many.csv', input_ip_format: 'ipv4-int' });
  const refused = await refusal();
  expect([refused?.[1]['detail'], refused?.[2]['retry-after']]).toEqual([
    'Another build is in progress.',
    '10',
  ]);
  const [status, document] = await finish(early);
  expect([status, document['lookup']]).toEqual([200, 'early']);
  expect((await building).status).toBe(200);
});

test('a build stops when its caller disconnects, leaves nothing behind, and lets the next one start', async () => {
  folder.write('few.csv', CSV);
  const before = readdirSync(folder.lookups).filter((name) => !name.startsWith('.upload-'));
  const caller = new AbortController();
  const body = JSON.stringify({ file_name: 'many.csv', input_ip_format: 'ipv4-int', lookup_name: 'left' });
  const headers = { 'content-type': 'application/json' };
  const building = server.send('/from-csv', { method: 'POST', headers, body, signal: caller.signal });
  expect((await refusal())?.[0]).toBe(409);
  caller.abort();
  await expect(building).rejects.toThrow('abort');
  const next = () => server.post('/from-csv', { file_name: 'few.csv', input_ip_format: 'ipv4' });
  await until(async () => (await next()).status === 200);
  await until(() => stored() === 0);
  expect(readdirSync(folder.lookups).sort()).toEqual([...before, 'few.mmdb'].sort());
  expect(server.output()).toContain('"msg":"request stopped: the client disconnected"');
  expect(server.output()).not.toContain('request failed');
});

test('cells that are expensive to read are rejected at once, while the server keeps responding', async () => {
  const zeros = '0'.repeat(900_000);
  const csv = `ip_from,ip_to,latitude,elevation\n10.0.0.0,10.0.0.1,${zeros}x,1\n10.0.0.2,10.0.0.3,1,${zeros}\n`;
  const started = performance.now();
  const query = 'input_ip_format=ipv4&types=true&lookup_name=dear';
  const answer = server.send(`/from-csv?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: csv,
  });
  const waits: number[] = [];
  let answered = false;
  void answer.finally(() => (answered = true));
  while (!answered) {
    const asked = performance.now();
    await (await fetch(`${server.url}/health/live`)).text();
    waits.push(performance.now() - asked);
    await sleep(20);
  }
  expect(await (await answer).json()).toMatchObject({
    status: 400,
    errors: ['row 2, column latitude', 'row 3, column elevation'].map((field) => ({
      field,
      message: expect.stringContaining('has more than 64 characters') as string,
    })),
  });
  // It was a matter of a quarter of an hour; what is left is the load of the machine.
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(Math.max(...waits)).toBeLessThan(2000);
});
