/** Fields as ZooKeeper's protocol lays them out, written a second way, for specs of what encodes and decodes them. */
export function ints(...values: number[]): Buffer {
  const data = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => data.writeInt32BE(value, 4 * index));
  return data;
}

export const flag = (value: number): Buffer => Buffer.from([value]);

export const text = (value: string): Buffer =>
  Buffer.concat([ints(Buffer.byteLength(value)), Buffer.from(value)]);

/** What stands before each operation of a multi, and before each of its answers. */
export const header = (type: number, error: number): Buffer =>
  Buffer.concat([ints(type), flag(0), ints(error)]);
