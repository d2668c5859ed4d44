import { type LookupRecord, ValueDecoder } from './decode-value.js';
import { LookupFormatError } from './mmdb.errors.js';
import {
  DATA_SEPARATOR_BYTES,
  MAX_METADATA_BYTES,
  METADATA_MARKER,
  type RecordSize,
  TYPE,
} from './mmdb-format.js';
import { ByteWriter } from './byte-writer.js';

/** The metadata of a lookup file. */
export interface LookupMetadata {
  /** The lookup's name. */
  readonly databaseType: string;
  /** Language tag to text. */
  readonly description: Readonly<Record<string, string>>;
  readonly languages: readonly string[];
  /** Seconds since 1970. */
  readonly buildEpoch: number;
  /** 4: only IPv4 can be looked up; 6: both families. */
  readonly ipVersion: 4 | 6;
  readonly nodeCount: number;
  readonly recordSize: RecordSize;
}

/** The sections of a file, in bytes from its start. */
export interface LookupLayout {
  readonly metadata: LookupMetadata;
  readonly dataStart: number;
  readonly dataEnd: number;
}

/**
 * Finds and checks a file's metadata.
 *
 * @param bytes the file, or its end
 * @param start where `bytes` begin in the file
 * @throws {LookupFormatError} if the file is truncated or not a MaxMind DB of major version 2
 */
export function readMetadata(bytes: Uint8Array, start = 0): LookupLayout {
  if (start === 0 && bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new LookupFormatError('the file is gzipped: decompress it first');
  const marker = findMarker(bytes);
  const fields = new ValueDecoder(bytes, marker + METADATA_MARKER.length, bytes.length).decode(0);
  if (typeof fields !== 'object' || Array.isArray(fields))
    throw new LookupFormatError('the metadata is not a map');
  const metadata = toMetadata(fields as LookupRecord);
  const dataStart = (metadata.nodeCount * metadata.recordSize) / 4 + DATA_SEPARATOR_BYTES;
  const dataEnd = start + marker;
  if (dataStart > dataEnd) {
    throw new LookupFormatError(
      `the file is truncated: ${metadata.nodeCount} nodes do not fit into ${dataEnd} bytes`,
    );
  }
  return { metadata, dataStart, dataEnd };
}

function findMarker(bytes: Uint8Array): number {
  const lowest = Math.max(0, bytes.length - MAX_METADATA_BYTES);
  for (let at = bytes.length - METADATA_MARKER.length; at >= lowest; at--) {
    if (METADATA_MARKER.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  throw new LookupFormatError('the file is not a MaxMind DB: it has no metadata');
}

function toMetadata(fields: LookupRecord): LookupMetadata {
  const major = integerOf(fields, 'binary_format_major_version');
  if (major !== 2)
    throw new LookupFormatError(`the file has format version ${major}; only version 2 is supported`);
  const recordSize = integerOf(fields, 'record_size');
  if (recordSize !== 24 && recordSize !== 28 && recordSize !== 32) {
    throw new LookupFormatError(`the record size is ${recordSize}; it must be 24, 28 or 32`);
  }
  const ipVersion = integerOf(fields, 'ip_version');
  if (ipVersion !== 4 && ipVersion !== 6)
    throw new LookupFormatError(`the IP version is ${ipVersion}; it must be 4 or 6`);
  const nodeCount = integerOf(fields, 'node_count');
  if (nodeCount < 1) throw new LookupFormatError('the search tree has no node');
  const { database_type: databaseType, build_epoch: buildEpoch } = fields;
  return {
    databaseType: typeof databaseType === 'string' ? databaseType : '',
    description: textMap(fields['description']),
    languages: Array.isArray(fields['languages']) ? fields['languages'].filter(isText) : [],
    buildEpoch: typeof buildEpoch === 'number' ? buildEpoch : 0,
    ipVersion,
    nodeCount,
    recordSize,
  };
}

function integerOf(fields: LookupRecord, key: string): number {
  const value = fields[key];
  if (typeof value !== 'number') throw new LookupFormatError(`the metadata has no ${key}`);
  return value;
}

function textMap(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => isText(entry[1])),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** The database type of a lookup with this name: types that start with GeoIP are reserved for MaxMind. */
export function toDatabaseType(lookupName: string): string {
  return /^geoip/i.test(lookupName) ? `lookup-${lookupName}` : lookupName;
}

/**
 * Encodes the metadata section with its marker. A number comes last, since libmaxminddb 1.13.0 to 1.13.2 reject files
 * that end with an empty map or array.
 */
export function encodeMetadata(metadata: LookupMetadata): Uint8Array {
  const target = new ByteWriter();
  const { databaseType, description, languages, buildEpoch, ipVersion, nodeCount, recordSize } = metadata;
  target.control(TYPE.map, 9);
  target.text('database_type');
  target.text(databaseType);
  target.text('description');
  target.control(TYPE.map, Object.keys(description).length);
  for (const [language, text] of Object.entries(description)) {
    target.text(language);
    target.text(text);
  }
  target.text('languages');
  target.control(TYPE.array, languages.length);
  for (const language of languages) target.text(language);
  const integer = (key: string, type: number, value: number): void => {
    target.text(key);
    target.integer(type, value);
  };
  integer('binary_format_major_version', TYPE.uint16, 2);
  integer('binary_format_minor_version', TYPE.uint16, 0);
  integer('build_epoch', TYPE.uint64, buildEpoch);
  integer('ip_version', TYPE.uint16, ipVersion);
  integer('node_count', TYPE.uint32, nodeCount);
  integer('record_size', TYPE.uint16, recordSize);
  return Buffer.concat([METADATA_MARKER, target.bytes.subarray(0, target.length)]);
}
