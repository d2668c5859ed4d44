import { build } from './build-in-memory.js';

/**
 * A lookup of 10.0.0.0/8 whose record has one key, `key`, with a given encoded value, since our builder never writes
 * bytes, lists or nested maps.
 */
export function lookupWithValue(...encoded: readonly number[]): Buffer {
  return replaced((text) => [0x40 | text.length, ...Buffer.from(text)], encoded.length - 1, encoded);
}

/** Like {@link lookupWithValue}, for a whole encoded record of at least six bytes. */
export function lookupWithRecord(...encoded: readonly number[]): Buffer {
  const before = [0xe1, 0x43, ...Buffer.from('key')];
  const record = (text: string) => [...before, 0x40 | text.length, ...Buffer.from(text)];
  return replaced(record, encoded.length - 1 - before.length, encoded);
}

/** Replaces the encoding of a text by bytes of the same size. */
function replaced(
  encodingOf: (text: string) => number[],
  length: number,
  encoded: readonly number[],
): Buffer {
  const text = 'v'.repeat(length);
  const { bytes } = build(`network,key\n10.0.0.0/8,${text}\n`, { inputFormat: 'cidr' });
  const made = Buffer.from(bytes);
  made.set(encoded, made.indexOf(Buffer.from(encodingOf(text))));
  return made;
}
