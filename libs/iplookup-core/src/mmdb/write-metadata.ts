import { ByteWriter } from './byte-writer.js';
import { METADATA_MARKER, TYPE } from './mmdb-format.js';
import type { LookupMetadata } from './read-metadata.js';

/**
 * The metadata section with its marker. A number stands last: libmaxminddb 1.13.0 to 1.13.2 refuse files that end with
 * an empty map or array.
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
