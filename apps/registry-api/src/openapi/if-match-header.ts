/** The header of a change that is meant for one state of the Client, for the API document. */
export const IF_MATCH_HEADER = {
  name: 'If-Match',
  required: false,
  description: 'An ETag: 412 when it is not current.',
};
