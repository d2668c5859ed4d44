import { build } from '../../test/build-in-memory.js';
import { ByteWriter } from './byte-writer.js';
import { METADATA_MARKER, TYPE } from './mmdb-format.js';
import { readMetadata } from './metadata.js';

type Field = readonly [key: string, write: (target: ByteWriter) => void];

const integer = (value: number) => (target: ByteWriter) => target.integer(TYPE.uint32, value);

const FIELDS: readonly Field[] = [
  ['binary_format_major_version', integer(2)],
  ['record_size', integer(24)],
  ['ip_version', integer(6)],
  ['node_count', integer(2)],
];

/** A file of as many bytes of tree and data, with these metadata, and the fields named replaced or, if null, left out. */
function file(changes: Readonly<Record<string, Field[1] | null>> = {}, before = 28): Buffer {
  const fields = [...FIELDS.filter(([key]) => !(key in changes)), ...Object.entries(changes)];
  const present = fields.filter((field): field is [string, Field[1]] => field[1] !== null);
  const target = new ByteWriter();
  target.control(TYPE.map, present.length);
  for (const [key, write] of present) {
    target.text(key);
    write(target);
  }
  return Buffer.concat([Buffer.alloc(before), METADATA_MARKER, target.bytes.subarray(0, target.length)]);
}

test('a file’s metadata', () => {
  const text = (value: string) => (target: ByteWriter) => target.text(value);
  const list = (target: ByteWriter) => {
    target.control(TYPE.array, 1);
    target.text('en');
  };
  const map = (target: ByteWriter) => {
    target.control(TYPE.map, 1);
    target.text('en');
    target.text('Sites');
  };
  const bytes = file({
    database_type: text('sites'),
    languages: list,
    description: map,
    build_epoch: integer(7),
  });
  expect(readMetadata(bytes)).toEqual({
    metadata: {
      databaseType: 'sites',
      description: { en: 'Sites' },
      languages: ['en'],
      buildEpoch: 7,
      ipVersion: 6,
      nodeCount: 2,
      recordSize: 24,
    },
    dataStart: 28,
    dataEnd: 28,
  });
});

test('optional metadata', () => {
  expect(readMetadata(file({ record_size: integer(32), ip_version: integer(4) }, 40))).toEqual({
    metadata: {
      databaseType: '',
      description: {},
      languages: [],
      buildEpoch: 0,
      ipVersion: 4,
      nodeCount: 2,
      recordSize: 32,
    },
    dataStart: 32,
    dataEnd: 40,
  });
  expect(readMetadata(file({ record_size: integer(28) }, 30)).dataStart).toBe(30);
});

test.each([
  ['no version', { binary_format_major_version: null }, 'the metadata has no binary_format_major_version'],
  [
    'version 3',
    { binary_format_major_version: integer(3) },
    'the file has format version 3; only version 2 is supported',
  ],
  ['no record size', { record_size: null }, 'the metadata has no record_size'],
  ['25 bits', { record_size: integer(25) }, 'the record size is 25; it must be 24, 28 or 32'],
  ['IPv5', { ip_version: integer(5) }, 'the IP version is 5; it must be 4 or 6'],
  ['no node', { node_count: integer(0) }, 'the search tree has no node'],
  ['a count in words', { node_count: (t: ByteWriter) => t.text('two') }, 'the metadata has no node_count'],
  ['too many nodes', { node_count: integer(3) }, 'the file is truncated: 3 nodes do not fit into 28 bytes'],
])('%s', (_what, changes, message) => {
  expect(() => readMetadata(file(changes))).toThrow(message);
});

test.each([
  ['gzipped', Buffer.from('1f8b08', 'hex'), 'the file is gzipped: decompress it first'],
  [
    'half of the mark of gzip',
    Buffer.from('1f0000', 'hex'),
    'the file is not a MaxMind DB: it has no metadata',
  ],
  ['empty', Buffer.alloc(0), 'the file is not a MaxMind DB: it has no metadata'],
  [
    'almost a marker',
    Buffer.from('\xab\xcd\xefMaxMind.con', 'latin1'),
    'the file is not a MaxMind DB: it has no metadata',
  ],
  [
    'a list in place of the metadata',
    Buffer.concat([METADATA_MARKER, Buffer.from('0004', 'hex')]),
    'the metadata is not a map',
  ],
  [
    'a text in place of the metadata',
    Buffer.concat([METADATA_MARKER, Buffer.from('4178', 'hex')]),
    'the metadata is not a map',
  ],
])('%s', (_what, bytes, message) => {
  expect(() => readMetadata(bytes)).toThrow(message);
});

test('the last marker counts, within the last 128 KiB', () => {
  const twice = Buffer.concat([METADATA_MARKER, file().subarray(METADATA_MARKER.length)]);
  expect(readMetadata(twice).dataEnd).toBe(28);
  const padding = (bytes: number) => Buffer.concat([file(), Buffer.alloc(bytes)]);
  const metadataBytes = file().length - 28;
  expect(readMetadata(padding(131_072 - metadataBytes)).dataEnd).toBe(28);
  expect(() => readMetadata(padding(131_073 - metadataBytes))).toThrow('it has no metadata');
});

test('values may hold the marker', () => {
  const marker = Buffer.from(METADATA_MARKER).toString('latin1');
  const { bytes } = build(Buffer.from(`a,b,v\n1.0.0.0,1.0.0.0,${marker.slice(3)}\n`));
  expect(readMetadata(bytes).metadata.ipVersion).toBe(6);
});

test('metadata of other types are left out, even if they cannot be turned into text', () => {
  const unprintable = (target: ByteWriter) => {
    target.control(TYPE.map, 1);
    target.text('toString');
    target.text('');
  };
  const list = (target: ByteWriter) => {
    target.control(TYPE.array, 2);
    unprintable(target);
    target.text('en');
  };
  const map = (target: ByteWriter) => {
    target.control(TYPE.map, 1);
    target.text('en');
    unprintable(target);
  };
  const bytes = file({
    database_type: unprintable,
    languages: list,
    description: map,
    build_epoch: unprintable,
  });
  expect(readMetadata(bytes).metadata).toMatchObject({
    databaseType: '',
    description: {},
    languages: ['en'],
    buildEpoch: 0,
  });
});
