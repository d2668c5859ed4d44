/** The bytes are not a usable MaxMind DB; `message` says what is wrong and where. */
export class LookupFormatError extends Error {
  override readonly name = 'LookupFormatError';
}

/** The lookup would not fit into the file format. */
export class LookupTooLargeError extends Error {
  override readonly name = 'LookupTooLargeError';
}
