/** Limits of a request that reads whole lookups. */
export const READ_LIMITS = {
  /** How long one may take, in milliseconds. */
  deadlineMs: 2 * 60 * 1000,
  /** How long a dump may take: its caller may be slow. */
  dumpMs: 15 * 60 * 1000,
  graceMs: 100,
  /** JavaScript heap in MiB, without the lookups. */
  heapMb: 512,
} as const;

/** Such requests at the same time: each holds its lookups in memory. */
export const READ_PLACES = {
  name: 'reads of whole lookups',
  total: 3,
  perToken: 2,
  perAddress: 3,
  remedy: 'try again when one has finished',
};
