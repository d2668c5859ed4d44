/** A second, independent implementation of ZooKeeper's field encoding, for the specs of encoder and decoder. */
export function ints(...values: number[]): Buffer {
  const data = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => data.writeInt32BE(value, 4 * index));
  return data;
}

export const flag = (value: number): Buffer => Buffer.from([value]);

export const text = (value: string): Buffer =>
  Buffer.concat([ints(Buffer.byteLength(value)), Buffer.from(value)]);

/** The header of each operation in a multi, and of each result. */
export const header = (type: number, error: number): Buffer =>
  Buffer.concat([ints(type), flag(0), ints(error)]);
