import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const DRILLS = fileURLToPath(new URL('../drills/', import.meta.url));

/** Runs a program as a module of its own, and parses what it prints last. */
async function runProgram(program: string, environment: Record<string, string> = {}): Promise<unknown> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = [
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
  ];
  const [status] = (await once(child, 'close')) as [number];
  if (status !== 0) throw new Error((await errors).join(''));
  return JSON.parse((await output).join(''));
}

const DOCUMENT = {
  openapi: '3.1.0',
  paths: {
    '/count': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: { content: { 'application/json': { schema: { type: 'object', required: ['count'] } } } },
        },
      },
    },
  },
  components: { schemas: { Problem: { type: 'object', required: ['title'] } } },
};

/** What is found wrong with services that answer so, of each. */
async function failuresOf(answers: readonly RequestListener[]): Promise<string[][]> {
  const servers = answers.map((answer) =>
    createServer((request, response) => {
      if (request.url === '/openapi.json') response.end(JSON.stringify(DOCUMENT));
      else answer(request, response);
    }).listen(0, '127.0.0.1'),
  );
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const program = `
    const { ApiDocument } = await import('${DRILLS}fuzz/api-document.mjs');
    const { requestsFor } = await import('${DRILLS}fuzz/requests.mjs');
    const { runFuzz } = await import('${DRILLS}fuzz/run-fuzz.mjs');
    const plan = {
      known: {}, samples: {}, tokens: { goodFor: () => [''], bad: [''] }, weightOf: () => 20, otherPaths: ['/'],
    };
    const failuresOf = async (url) => {
      const document = await ApiDocument.of(url);
      const requests = () => requestsFor(document, plan);
      const service = { url, isAlive: () => true, memoryMb: async () => Promise.resolve({ resident: 1 }) };
      const quiet = { refresh: async () => undefined, log: () => undefined };
      return (await runFuzz({ service, document, requests, count: 100, seed: 1, ...quiet })).failures;
    };
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(urls)}.map(failuresOf))));`;
  try {
    return (await runProgram(program)) as string[][];
  } finally {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

const json = (status: number, body: object, type = 'application/json'): RequestListener => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
};

const PROBLEM = 'application/problem+json';

test('a service that matches its document passes; each deviation is detected', async () => {
  const cases: readonly (readonly [RequestListener, RegExp])[] = [
    [json(500, { title: 'Oops' }, PROBLEM), /^status 500/],
    [json(201, { count: 1 }), /^GET \/count: 201 is not documented/],
    [json(200, {}), /^GET \/count: data must have required property 'count'/],
    [json(200, { count: 1 }, 'text/html'), /^GET \/count: 200 is not documented as 'text\/html'/],
    [(request) => request.socket.destroy(), /^no answer/],
    [json(503, { title: 'Busy' }, PROBLEM), /^503 without Retry-After/],
    [json(400, { detail: 'no title' }, PROBLEM), /^400 is not a problem document/],
  ];
  const [none, ...found] = await failuresOf([json(200, { count: 1 }), ...cases.map(([answer]) => answer)]);
  expect(none).toEqual([]);
  for (const [index, [, failure]] of cases.entries()) {
    expect(found[index]).toContainEqual(expect.stringMatching(failure));
  }
});
