/** The media types of NDJSON in a request; responses have the first one. */
export const NDJSON_TYPES = ['application/x-ndjson', 'application/ndjson'] as const;
