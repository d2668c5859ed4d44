import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, offset: 6, reference: 7 } as const;
type Kind = keyof typeof TYPES;

const sha1 = (data: Uint8Array) => createHash('sha1').update(data).digest();
/** The name of an object. */
export const oidOf = (type: string, data: Uint8Array) =>
  sha1(Buffer.concat([Buffer.from(`${type} ${data.length}\0`), data])).toString('hex');

/** An entry's header: type and size, four bits and then seven bits a byte. */
function header(kind: Kind, size: number): Buffer {
  const bytes = [(TYPES[kind] << 4) | (size & 15)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** An object in a pack, with `size` as its declared size. */
export const entry = (kind: Kind, data: Uint8Array, { base = Buffer.alloc(0), size = data.length } = {}) =>
  Buffer.concat([header(kind, size), base, deflateSync(data)]);

export function pack(entries: readonly Uint8Array[], count = entries.length): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(count, 8);
  const body = Buffer.concat([head, ...entries]);
  return Buffer.concat([body, sha1(body)]);
}

/** A line of a tree object. */
export const treeLine = (mode: string, name: string, oid: string) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);

/** Folders that each contain the previous one ten times: a million entries in a few hundred bytes. */
export function treeBomb(blob: string, name = ''): Buffer[] {
  const trees = [treeLine('100644', 'x', blob)];
  for (let depth = 0; depth < 8; depth += 1) {
    const oid = oidOf('tree', trees.at(-1)!);
    trees.push(
      Buffer.concat(Array.from({ length: 10 }, (_, index) => treeLine('40000', `${name}${index}`, oid))),
    );
  }
  return trees;
}

/** Objects that are each a delta against the next one, so that all depend on the last. */
export function reversedDeltas(count: number): { readonly entries: Buffer[]; readonly last: string } {
  const blob = (number: number) => {
    const data = Buffer.alloc(8);
    data.writeUInt32BE(number);
    return data;
  };
  const entries = [entry('blob', blob(0))];
  for (let number = 1; number <= count; number += 1) {
    const base = Buffer.from(oidOf('blob', blob(number - 1)), 'hex');
    // Replaces all eight bytes.
    entries.push(entry('reference', Buffer.concat([Buffer.from([8, 8, 8]), blob(number)]), { base }));
  }
  return { entries: entries.reverse(), last: oidOf('blob', blob(count)) };
}

/** Folders within each other, the innermost first. */
export function nestedTrees(depth: number, name: string, blob: string): Buffer[] {
  const trees = [treeLine('100644', 'x', blob)];
  for (let level = 0; level < depth; level += 1) {
    trees.push(treeLine('40000', name, oidOf('tree', trees.at(-1)!)));
  }
  return trees;
}
