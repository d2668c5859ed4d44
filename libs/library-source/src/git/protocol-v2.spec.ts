import { DELIMITER, FLUSH, pktLine } from './pkt-lines.js';
import { fetchRequest, lsRefsRequest, readLsRefsAnswer } from './protocol-v2.js';

const OID = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const OFFERED = { agent: 'git/2.39.5', 'object-format': 'sha1', fetch: 'shallow filter' };

async function* answer(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

test('only what the server offers is sent', () => {
  const lines = (text: string) => pktLine(`${text}\n`);
  expect(lsRefsRequest(['HEAD'], {}).toString()).toBe(
    lines('command=ls-refs') + DELIMITER + lines('peel') + lines('ref-prefix HEAD') + FLUSH,
  );
  expect(lsRefsRequest(['HEAD'], OFFERED).toString()).toContain(
    lines('command=ls-refs') + lines('agent=svccmd') + lines('object-format=sha1') + DELIMITER,
  );
});

test('objects are requested with or without history and contents', () => {
  const wanted = { oids: [OID, OTHER], isShallow: false };
  const plain = fetchRequest(wanted, OFFERED).toString();
  expect(plain).toContain(pktLine(`want ${OID}\n`) + pktLine(`want ${OTHER}\n`) + pktLine('done\n'));
  const limited = fetchRequest({ ...wanted, isShallow: true, filter: 'blob:none' }, OFFERED).toString();
  expect(limited).toContain(pktLine('deepen 1\n') + pktLine('filter blob:none\n') + pktLine('done\n'));
});

test('the commits that another commit does not have can be requested alone', () => {
  const wanted = { oids: [OID], isShallow: false, filter: 'tree:0', have: OTHER } as const;
  const words = [`want ${OID}`, 'filter tree:0', `have ${OTHER}`, 'done'];
  const lines = words.map((word) => pktLine(`${word}\n`)).join('');
  expect(fetchRequest(wanted, OFFERED).toString()).toContain(lines);
});

test('a server that cannot leave out the history is rejected', () => {
  const wanted = { oids: [OID], isShallow: true };
  for (const fetch of ['filter', true] as const) {
    expect(() => fetchRequest(wanted, { fetch })).toThrow('the server cannot leave out the history');
  }
});

test('branches and tags are read with the commits that annotated tags point to', async () => {
  const lines = [`${OID} HEAD symref-target:refs/heads/main`, `${OID} refs/tags/v1 peeled:${OTHER}`];
  const refs = await readLsRefsAnswer(answer(lines.map((line) => pktLine(`${line}\n`)).join('') + FLUSH));
  expect([...refs]).toEqual([
    ['HEAD', OID],
    ['refs/tags/v1', OID],
    ['refs/tags/v1^{}', OTHER],
  ]);
  expect((await readLsRefsAnswer(answer(FLUSH))).size).toBe(0);
});

test.each([
  ['that is cut after a line', pktLine(`${OID} HEAD\n`), /not a list/],
  ['that is empty', '', /not a list/],
  ['of something else', pktLine('hello\n') + FLUSH, /not a list/],
  ['that is a refusal', pktLine('ERR access denied\n'), 'the server says: access denied'],
])('a list %s is an error', async (_case, text, message) => {
  await expect(readLsRefsAnswer(answer(text))).rejects.toMatchObject({ name: 'GitAnswerError' });
  await expect(readLsRefsAnswer(answer(text))).rejects.toThrow(message);
});
