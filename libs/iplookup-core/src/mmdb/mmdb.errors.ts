/** The bytes are not a usable MaxMind DB; `message` names the error and its place. */
export class LookupFormatError extends Error {
  override readonly name = 'LookupFormatError';
}

/** The lookup would not fit into the file format. */
export class LookupTooLargeError extends Error {
  override readonly name = 'LookupTooLargeError';
}
