import { closeAll, connect } from './support/clients.js';
import {
  GET_CHILDREN,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from './support/scripted-server.js';
import { ints, text } from './support/wire-fields.js';

const UNIMPLEMENTED = -6;
const NO_NODE = -101;
const MULTI_READ = 22;

let server: ScriptedServer;

afterEach(async () => {
  await closeAll();
  await server.stop();
});

/** Answers reads of children; no other node exists. */
const answer = (request: ScriptedRequest): void =>
  request.code === GET_CHILDREN ? request.reply(0, ints(1), text('child')) : request.reply(NO_NODE);

/** Servers before 3.6 reject unknown operations in the thread that reads requests. */
test.each([
  ['arrive after it', true],
  ['are lost with the connection', false],
])('a rejection that overtakes earlier replies loses none of them: they %s', async (_case, isAnswered) => {
  const waiting: ScriptedRequest[] = [];
  server = await startScriptedServer((request) => {
    if (request.connection > 1) return answer(request);
    if (request.code !== MULTI_READ) return void waiting.push(request);
    request.reply(UNIMPLEMENTED);
    if (isAnswered) waiting.forEach(answer);
    request.hangUp();
  });
  const client = await connect(server.address);
  const reads = [client.getChildren('/a'), client.getDataOfAll(['/b', '/c']), client.getChildren('/d')];
  expect(await Promise.all(reads)).toEqual([['child'], [undefined, undefined], ['child']]);
});

test.each([
  ['of a later request', 1],
  ['of a request that was never sent', 1_000],
])('a reply with the xid %s ends the connection, and its requests are sent again', async (_case, offset) => {
  const waiting: ScriptedRequest[] = [];
  server = await startScriptedServer((request) => {
    if (request.connection > 1) return answer(request);
    waiting.push(request);
    if (waiting.length === 3) request.replyAs(waiting[0]!.xid + offset);
  });
  const client = await connect(server.address);
  const reads = ['/a', '/b', '/c'].map(async (path) => client.getChildren(path));
  expect(await Promise.all(reads)).toEqual([['child'], ['child'], ['child']]);
});

test('data after such a reply is not mistaken for a reply', async () => {
  server = await startScriptedServer((request) => {
    if (request.connection > 1) return answer(request);
    request.replyAs(request.xid + 1_000);
    request.reply(0, ints(1), text('stale'));
  });
  const client = await connect(server.address);
  expect(await client.getChildren('/a')).toEqual(['child']);
});
