import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GitSource, type GitSourceOptions } from '../src/index.js';
import { pktLine } from '../src/git/pkt-lines.js';
import { entry, oidOf, pack, treeBomb } from './support/make-pack.js';

/** What a server offers that can do all that is needed. */
const ALL = 'shallow side-band-64k ofs-delta';

interface Answers {
  readonly capabilities: string;
  readonly commit: Buffer;
  readonly pack: Buffer;
}

let server: Server;
let answers: Answers;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = request.method === 'GET' ? advertisement(answers) : uploadPack(answers.pack);
    const kind = request.method === 'GET' ? 'advertisement' : 'result';
    response.setHeader('content-type', `application/x-git-upload-pack-${kind}`);
    request.resume().on('end', () => response.end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/library.git`;
});

afterAll(async () => new Promise((resolve) => server.close(resolve)));

function advertisement({ commit, capabilities }: Answers): string {
  const oid = oidOf('commit', commit);
  const refs = pktLine(`${oid} HEAD\0${capabilities}\n`) + pktLine(`${oid} refs/heads/main\n`);
  return `${pktLine('# service=git-upload-pack\n')}0000${refs}0000`;
}

/** In pieces of a band that is at most 65,520 bytes wide. */
function uploadPack(data: Buffer): Buffer {
  const pieces: Buffer[] = [Buffer.from(pktLine('NAK\n'))];
  for (let start = 0; start < data.length; start += 60_000) {
    const piece = data.subarray(start, start + 60_000);
    pieces.push(Buffer.from((piece.length + 5).toString(16).padStart(4, '0')), Buffer.from([1]), piece);
  }
  return Buffer.concat([...pieces, Buffer.from('0000')]);
}

const commitOf = (tree: Buffer) => Buffer.from(`tree ${oidOf('tree', tree)}\n\none\n`);
const read = async (options: Partial<GitSourceOptions> = {}, signal?: AbortSignal) =>
  new GitSource({ address: url.replace('http:', 'git:'), ...options }).read(() => () => true, signal);
const refusal = (reason: string) => ({
  name: 'SourceUnreachableError',
  message: `cannot read ${url}: ${reason}`,
});

test('a server that sends the whole history only is refused', async () => {
  const empty = Buffer.alloc(0);
  const commit = commitOf(empty);
  const objects = pack([entry('tree', empty), entry('commit', commit)]);
  answers = { capabilities: ALL, commit, pack: objects };
  await expect(read()).resolves.toMatchObject({ entries: [], revision: oidOf('commit', commit) });
  answers = { ...answers, capabilities: ALL.replace('shallow ', '') };
  await expect(read()).rejects.toMatchObject(refusal('the server cannot leave out the history'));
});

test('a repository that unpacks to more than a gibibyte is refused before it is unpacked', async () => {
  const objects = pack([entry('blob', Buffer.alloc(64), { size: 2 ** 30 + 1 })]);
  answers = { capabilities: ALL, commit: commitOf(Buffer.alloc(0)), pack: objects };
  await expect(read()).rejects.toMatchObject(refusal('its objects have more than 1024 MiB'));
});

test('a repository that holds one folder a million times is refused', async () => {
  const trees = treeBomb(oidOf('blob', Buffer.alloc(0)));
  const commit = commitOf(trees.at(-1)!);
  const objects = [entry('blob', Buffer.alloc(0)), ...trees.map((tree) => entry('tree', tree))];
  answers = { capabilities: ALL, commit, pack: pack([...objects, entry('commit', commit)]) };
  await expect(read()).rejects.toMatchObject(refusal('it has more than 1000000 entries'));
});

test('a repository of more than a million objects is refused before they are unpacked', async () => {
  const objects = pack([entry('blob', Buffer.alloc(0))], 1_000_001);
  answers = { capabilities: ALL, commit: commitOf(Buffer.alloc(0)), pack: objects };
  await expect(read()).rejects.toMatchObject(refusal('it has 1000001 objects, more than 1000000'));
});

test('the deadline and an abort are heard while objects are unpacked', async () => {
  const objects = pack(Array.from({ length: 400_000 }, () => EMPTY_BLOB));
  answers = { capabilities: ALL, commit: commitOf(Buffer.alloc(0)), pack: objects };
  await expect(read({ deadlineMs: 500 })).rejects.toMatchObject({
    name: 'SourceUnreachableError',
    message: `${url} took longer than 0.5 s`,
  });
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 500);
  await expect(read({}, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
});

const EMPTY_BLOB = entry('blob', Buffer.alloc(0));
