import { build, type BuildTestOptions } from '../../test/build-in-memory.js';

const TEXTS = 200;

/** Characters that need no quotes: from - to ~. */
const LOWEST = 45;
const CHARACTERS = 82;

/** Control byte of a text of 23 bytes, and the length with it. */
const CONTROL = 0x57;
const LENGTH = 24;

/**
 * Pairs of words of printable ASCII that lead a lane of the hash from one state to the same other one, if the state is
 * known: the second word makes up for the first.
 */
function collidingWords(state: number, factor: number, shift: number, firstByte?: number): string[] {
  const found: string[] = [];
  for (let i = 0; found.length < TEXTS; i++) {
    const digits = [0, 1, 2, 3].map((n) => LOWEST + (Math.floor(i / CHARACTERS ** n) % CHARACTERS));
    const bytes = [firstByte ?? digits[3]!, ...digits.slice(0, 3)];
    const first = Buffer.from(bytes);
    const mixed = Math.imul(state ^ first.readInt32LE(), factor);
    const second = Buffer.alloc(4);
    second.writeInt32LE(mixed ^ (mixed >>> shift) ^ 0x6161_6161);
    if (second.every((byte) => byte >= LOWEST && byte < LOWEST + CHARACTERS))
      found.push(first.toString('latin1') + second.toString('latin1'));
  }
  return found;
}

/** Values that collide if the hash starts from the states it had without a seed. */
function collidingValues(): string[] {
  const even = collidingWords(LENGTH, 0x9e37_79b1, 15, CONTROL);
  const odd = collidingWords(0x9747_b28c, 0x85eb_ca6b, 13);
  return even.flatMap((a) =>
    odd.map((b) => `${a.slice(1, 4)}${b.slice(0, 4)}${a.slice(4)}${b.slice(4)}same end`),
  );
}

const toCsv = (values: readonly string[]): string =>
  values.map((value, i) => `${i * 9},${i * 9 + 5},${value}\n`).join('');

function cpuMs(csv: string, engineFromBytes: number): number {
  const options: BuildTestOptions = {
    inputFormat: 'ipv4-int',
    header: false,
    columnNames: ['name'],
    engineFromBytes,
  };
  const before = process.cpuUsage();
  expect(build(csv, options).counts.records).toBe(TEXTS * TEXTS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each([
  ['with the engine', 0],
  ['without it', Infinity],
])('texts made to collide take no longer than others, %s', (_case, engineFromBytes) => {
  const made = toCsv(collidingValues());
  const others = toCsv(
    Array.from({ length: TEXTS * TEXTS }, (_, i) => `value ${String(i).padStart(17, '0')}`),
  );
  cpuMs(others, engineFromBytes);
  // Quadratic time would be some fifty times as long.
  expect(cpuMs(made, engineFromBytes)).toBeLessThan(6 * cpuMs(others, engineFromBytes));
});
