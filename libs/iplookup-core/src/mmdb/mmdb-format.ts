/** Numbers of the MaxMind DB file format, version 2.0 (https://maxmind.github.io/MaxMind-DB/). */

/** `\xab\xcd\xefMaxMind.com`: precedes the metadata; its last occurrence counts. */
export const METADATA_MARKER = Uint8Array.of(
  0xab,
  0xcd,
  0xef,
  0x4d,
  0x61,
  0x78,
  0x4d,
  0x69,
  0x6e,
  0x64,
  0x2e,
  0x63,
  0x6f,
  0x6d,
);

/** Maximum size of marker and metadata. */
export const MAX_METADATA_BYTES = 131_072;

/** Zero bytes between the search tree and the data section. */
export const DATA_SEPARATOR_BYTES = 16;

/** Type numbers of the data section. */
export const TYPE = {
  pointer: 1,
  string: 2,
  double: 3,
  bytes: 4,
  uint16: 5,
  uint32: 6,
  map: 7,
  int32: 8,
  uint64: 9,
  uint128: 10,
  array: 11,
  boolean: 14,
  float: 15,
} as const;

/** Bits per record of a node; readers support these sizes. */
export type RecordSize = 24 | 28 | 32;
