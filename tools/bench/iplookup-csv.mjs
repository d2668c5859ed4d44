// Writes a reproducible CSV file of contiguous IP ranges, with every field quoted and CRLF.
import { closeSync, openSync, writeSync } from 'node:fs';

const PLACES = 50_000;
const V4_MAPPED = 0xffffn << 32n;

/**
 * @param family 4, or 6: three fifths of the rows are IPv4-mapped, the rest /64 blocks
 * @param sorted false for random order
 */
export function writeRangesCsv(path, { rows, family, sorted = true, seed = 1 }) {
  const random = mulberry32(seed);
  const places = Array.from({ length: PLACES }, (_, index) => place(index, random));
  const fd = openSync(path, 'w');
  let pending = [];
  const write = (from, to) => {
    pending.push(`"${from}","${to}",${places[Math.floor(random() * PLACES)]}\r\n`);
    if (pending.length < 10_000) return;
    writeSync(fd, pending.join(''));
    pending = [];
  };
  const mapped = family === 4 ? rows : Math.floor(rows * 0.6);
  const inOrder = (list) => (sorted ? list : shuffled([...list], random));
  for (const [from, to] of inOrder(ranges(mapped, 2 ** 32, random))) {
    if (family === 4) write(from, to);
    else write(V4_MAPPED + BigInt(from), V4_MAPPED + BigInt(to));
  }
  for (const [from, to] of inOrder(ranges(rows - mapped, 2 ** 48, random))) {
    write((0x2001n << 112n) + (BigInt(from) << 64n), (0x2001n << 112n) + (BigInt(to + 1) << 64n) - 1n);
  }
  writeSync(fd, pending.join(''));
  closeSync(fd);
}

/** `count` contiguous ranges over 0 to `space` - 1; most start at a round number, like real allocations. */
function* ranges(count, space, random) {
  let from = 0;
  for (let left = count; left > 0; left -= 1) {
    const share = (space - from) / left;
    const length = left === 1 ? space - from : Math.max(1, Math.floor(share * (0.2 + 1.6 * random())));
    const grain = 2 ** Math.max(0, Math.floor(Math.log2(length)) - 3);
    const next = left === 1 ? space : Math.max(from + 1, Math.floor((from + length) / grain) * grain);
    yield [from, next - 1];
    from = next;
  }
}

/** Shuffles a list in place (Fisher-Yates). */
function shuffled(list, random) {
  for (let left = list.length - 1; left > 0; left -= 1) {
    const chosen = Math.floor(random() * (left + 1));
    [list[left], list[chosen]] = [list[chosen], list[left]];
  }
  return list;
}

function place(index, random) {
  const latitude = (random() * 180 - 90).toFixed(6);
  const longitude = (random() * 360 - 180).toFixed(6);
  const country = String.fromCharCode(65 + (index % 26), 65 + (Math.floor(index / 26) % 26));
  return `"${country}","Country ${country}","Region, ${index % 997}","City ${index}","${latitude}","${longitude}","${10_000 + index}","+0${index % 10}:00"`;
}

/** A small deterministic generator, so that the file is reproducible. */
function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
