import { lookupWithValue } from '../../test/lookup-with-value.js';
import { ParsedLookup } from '../mmdb/parsed-lookup.js';
import { diffLookups } from './diff-lookups.js';

const lookupOf = (...value: number[]): ParsedLookup => new ParsedLookup(lookupWithValue(...value));

const TEXT = lookupOf(0x43, 97, 98, 99);
const BYTES = lookupOf(0x83, 97, 98, 99);
const OTHER_BYTES = lookupOf(0x83, 97, 98, 100);
const FEWER_BYTES = lookupOf(0x82, 97, 98);
const LIST = lookupOf(0x02, 0x04, 0x41, 97, 0x41, 98);
const OTHER_LIST = lookupOf(0x02, 0x04, 0x41, 97, 0x41, 99);
const SHORTER_LIST = lookupOf(0x01, 0x04, 0x41, 97);
const MAP = lookupOf(0xe2, 0x41, 48, 0x41, 97, 0x41, 49, 0x41, 98);
const TURNED_MAP = lookupOf(0xe2, 0x41, 49, 0x41, 98, 0x41, 48, 0x41, 97);
const OTHER_KEYS = lookupOf(0xe2, 0x41, 48, 0x41, 97, 0x41, 50, 0x41, 98);

const changed = (before: ParsedLookup, after: ParsedLookup): number =>
  diffLookups(before, after, 0).ipv4.changed;

test('the values are as expected', () => {
  const valueOf = (lookup: ParsedLookup) => diffLookups(lookup, TEXT, 1).differences[0]?.before?.['key'];
  expect(valueOf(BYTES)).toEqual(new Uint8Array([97, 98, 99]));
  expect(valueOf(LIST)).toEqual(['a', 'b']);
  expect(valueOf(MAP)).toEqual({ 0: 'a', 1: 'b' });
});

test.each([
  ['bytes', BYTES, lookupOf(0x83, 97, 98, 99)],
  ['a list', LIST, lookupOf(0x02, 0x04, 0x41, 97, 0x41, 98)],
  ['a map, in any order', MAP, TURNED_MAP],
])('%s with the same content is not a difference', (_what, before, after) => {
  expect(changed(before, after)).toBe(0);
  expect(changed(after, before)).toBe(0);
});

test.each([
  ['bytes and the text of the same bytes', BYTES, TEXT],
  ['other bytes', BYTES, OTHER_BYTES],
  ['fewer bytes', BYTES, FEWER_BYTES],
  ['bytes and a list', BYTES, LIST],
  ['other items', LIST, OTHER_LIST],
  ['fewer items', LIST, SHORTER_LIST],
  ['a list and a map of the same items', LIST, MAP],
  ['a text and a map', TEXT, MAP],
  ['other keys', MAP, OTHER_KEYS],
])('%s are a difference', (_what, before, after) => {
  expect(changed(before, after)).toBe(1);
  expect(changed(after, before)).toBe(1);
});
