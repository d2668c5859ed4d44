import { parentsOf, readCommit, readTag } from './signed-object.js';

const OID = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const AUTHOR = 'author Ä <a@example.com> 1 +0000';
const COMMITTER = 'committer Ä <a@example.com> 1767225600 +0100';
const ARMOR = '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n';
const FIELD = `gpgsig ${ARMOR.trimEnd().replaceAll('\n', '\n ')}`;

const commit = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n\nmessage ü\n`);

test('the signature covers everything but itself', () => {
  const lines = [`tree ${OID}`, `parent ${OTHER}`, `parent ${OID}`, AUTHOR, COMMITTER];
  const found = readCommit(commit(...lines, FIELD, 'encoding UTF-8'));
  expect(found).toMatchObject({ links: [OTHER, OID], seconds: 1_767_225_600, signature: ARMOR.trimEnd() });
  expect(Buffer.from(found.payload)).toEqual(commit(...lines, 'encoding UTF-8'));
});

test('a commit without a signature is read as such', () => {
  const data = commit(`tree ${OID}`, AUTHOR, COMMITTER);
  expect(readCommit(data)).toEqual({
    links: [],
    seconds: 1_767_225_600,
    signature: undefined,
    payload: data,
  });
});

test('a signature in the message is not one', () => {
  const data = Buffer.from(`tree ${OID}\n${AUTHOR}\n${COMMITTER}\n\n${FIELD}\n`);
  expect(readCommit(data).signature).toBeUndefined();
});

test.each([
  ['a signature before its tree', [FIELD, `tree ${OID}`, AUTHOR, COMMITTER], 'does not start with a tree'],
  ['a field that hides a tree', [`gpgsig-x\rtree ${OTHER}`, `tree ${OID}`, AUTHOR, COMMITTER], 'a tree'],
  ['a parent that is not covered', [`tree ${OID}`, FIELD, `parent ${OTHER}`, AUTHOR, COMMITTER], 'no author'],
  ['a tree that goes on', [`tree ${OID}\rtree ${OTHER}`, AUTHOR, COMMITTER], 'does not start with a tree'],
  ['two signatures', [`tree ${OID}`, AUTHOR, COMMITTER, FIELD, FIELD], 'several signatures'],
  ['no committer', [`tree ${OID}`, AUTHOR, FIELD], 'names no committer with a time'],
  ['a committer without a time', [`tree ${OID}`, AUTHOR, 'committer A <a>', FIELD], 'names no committer'],
])('a commit with %s is refused', (_case, lines, message) => {
  expect(() => readCommit(commit(...lines))).toThrow(message);
});

test('other signatures are not covered either, as in git', () => {
  const lines = [`tree ${OID}`, AUTHOR, COMMITTER];
  const found = readCommit(commit(...lines, FIELD, 'gpgsig-sha256 x\n y'));
  expect(Buffer.from(found.payload)).toEqual(commit(...lines));
});

test('parents are read of any commit, signed or not, and only of the header', () => {
  expect(parentsOf(commit(`tree ${OID}`, `parent ${OTHER}`, `parent ${OID}`, 'odd'))).toEqual([OTHER, OID]);
  expect(parentsOf(commit(`tree ${OID}`, AUTHOR, `parent ${OTHER}`))).toEqual([]);
  expect(parentsOf(Buffer.from('x'))).toEqual([]);
});

const TAG = `object ${OID}\ntype commit\ntag v1\ntagger A <a@example.com> 1767225600 +0000\n\n`;

test('the signature of a tag is the end of its message, from the last mark of one', () => {
  expect(readTag(Buffer.from(`${TAG}one\n${ARMOR}`))).toEqual({
    links: [OID],
    tagName: 'v1',
    seconds: 1_767_225_600,
    payload: Buffer.from(`${TAG}one\n`),
    signature: ARMOR,
  });
  expect(readTag(Buffer.from(`${TAG}${ARMOR}one\n${ARMOR}`)).payload).toEqual(
    Buffer.from(`${TAG}${ARMOR}one\n`),
  );
  expect(readTag(Buffer.from(`${TAG}one\n`)).signature).toBeUndefined();
});

test.each([
  ['without a target', TAG.replace('object', 'subject'), 'does not say what it points to'],
  ['without a name', TAG.replace('tag v1\n', ''), 'does not say what it points to'],
  ['without a tagger', TAG.replace(/tagger.*\n/, ''), 'names no tagger with a time'],
])('a signed tag %s is refused', (_case, text, message) => {
  expect(() => readTag(Buffer.from(`${text}one\n${ARMOR}`))).toThrow(message);
});
