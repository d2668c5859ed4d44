import { CommandError, EXIT } from '../errors/command-error.js';
import type { Environment } from '../config/parse-environment.js';

/**
 * The build time of lookups: `SOURCE_DATE_EPOCH`, so that the same input gives the same file, else now.
 *
 * @returns seconds since 1970
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 */
export function buildEpoch(environment: Environment, now: number): number {
  const given = environment['SOURCE_DATE_EPOCH'];
  if (given === undefined || given === '') return Math.floor(now / 1000);
  if (!/^\d{1,12}$/.test(given)) {
    throw new CommandError('SOURCE_DATE_EPOCH must be a number of seconds since 1970', EXIT.configuration);
  }
  return Number(given);
}
