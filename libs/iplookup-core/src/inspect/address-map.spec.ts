import { parseAddress } from '../address/parse-address.js';
import { AddressMap, IPV4_FRAME, IPV6_FRAME, type MapFrame } from './address-map.js';

function mapOf(frame: MapFrame, networks: readonly [address: string, length: number, group: number][]) {
  const map = new AddressMap(frame);
  for (const [text, length, group] of networks) {
    const words = new Uint32Array(4);
    parseAddress(text, words);
    map.add(words, length, group);
  }
  map.finish();
  const known = [...map.group.entries()].filter(([, group]) => group >= 0);
  return known.map(([cell, group]) => [cell, group, map.covered[cell]]);
}

test('a network fills its cells, a smaller one its part of a cell', () => {
  expect(
    mapOf(IPV4_FRAME, [
      ['0.0.0.0', 15, 3],
      ['0.2.0.0', 16, 4],
      ['0.3.0.0', 18, 5],
      ['0.5.0.0', 17, 6],
      ['255.255.255.255', 32, 7],
    ]),
  ).toEqual([
    [0, 3, 1],
    [1, 3, 1],
    [2, 4, 1],
    [3, 5, 0.25],
    [5, 6, 0.5],
    [65_535, 7, 2 ** -16],
  ]);
});

test('the group with the largest part has the cell, the first one of equal ones', () => {
  expect(
    mapOf(IPV4_FRAME, [
      ['10.0.0.0', 19, 1],
      ['10.0.32.0', 18, 2],
      ['10.0.96.0', 19, 1],
      ['10.0.128.0', 20, 3],
    ]),
  ).toEqual([[2560, 1, 0.125 + 0.25 + 0.125 + 0.0625]]);
});

test('IPv6 addresses outside 2000::/3 are not drawn, and networks over its border are not either', () => {
  expect(
    mapOf(IPV6_FRAME, [
      ['::', 3, 0],
      ['1fff:ffff::', 32, 1],
      ['2000::', 15, 2],
      ['2002::', 16, 3],
      ['3ffe::', 15, 4],
      ['4000::', 16, 5],
      ['fe80::', 10, 6],
    ]),
  ).toEqual([
    [0, 2, 1],
    [1, 3, 0.5],
    [4095, 4, 1],
  ]);
  expect(mapOf(IPV6_FRAME, [['2000::', 3, 9]])).toHaveLength(4096);
});
