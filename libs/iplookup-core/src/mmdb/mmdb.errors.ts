/** The bytes are not a valid MaxMind DB; `message` contains the error and its position. */
export class LookupFormatError extends Error {
  override readonly name = 'LookupFormatError';
}

/** The lookup would not fit into the file format. */
export class LookupTooLargeError extends Error {
  override readonly name = 'LookupTooLargeError';
}
