import { parseAddress } from '../address/parse-address.js';
import { LookupOptionError, optionMessage } from '../messages/option-message.js';
import type { ColumnLimit, Probe } from './guard-options.js';

/** A percentage, with or without its sign. */
const PERCENTAGE = /^(\d{1,3}(?:\.\d{1,6})?)\s*%?$/;

/**
 * Parses a percentage such as `5%`.
 *
 * @returns a number from 0 to 1
 * @throws {LookupOptionError}
 */
export function parseShare(option: string, text: string): number {
  const percentage = Number(PERCENTAGE.exec(text.trim())?.[1] ?? NaN);
  if (percentage <= 100) return percentage / 100;
  throw new LookupOptionError(
    optionMessage`${{ option }} takes a percentage such as 5%, but ${JSON.stringify(text)} is not one`,
  );
}

/** Parses a limit such as `country_code=10%`. @throws {LookupOptionError} */
export function parseColumnLimit(option: string, text: string): ColumnLimit {
  const at = text.lastIndexOf('=');
  if (at > 0) return { column: text.slice(0, at).trim(), share: parseShare(option, text.slice(at + 1)) };
  throw new LookupOptionError(
    optionMessage`${{ option }} takes a column and a percentage such as country_code=10%, but ${JSON.stringify(text)} is not one`,
  );
}

/** Address, column and value; a column or value with blanks around or in it may be quoted. */
const PROBE = /^(\S+)\s+(?:"([^"]+)"|(\S+))\s+(?:"([^"]*)"|(.*))$/s;

/**
 * Parses a probe such as `8.8.8.8 country_code US`.
 *
 * @throws {LookupOptionError}
 */
export function parseProbe(option: string, text: string): Probe {
  const [, address = '', quotedColumn, column = quotedColumn, quoted, value = quoted] =
    PROBE.exec(text.trim()) ?? [];
  if (column !== undefined && value !== undefined && value !== '') {
    if (parseAddress(address, new Uint32Array(4)) !== undefined) return { address, column, value };
    throw new LookupOptionError(
      optionMessage`${{ option }}: ${JSON.stringify(address)} is not an IP address`,
    );
  }
  throw new LookupOptionError(
    optionMessage`${{ option }} takes an address, a column and a value such as "8.8.8.8 country_code US", but ${JSON.stringify(text)} is not one`,
  );
}

/** Parses a file of probes: one per line, and comments after `#`. @throws {LookupOptionError} naming the line */
export function parseProbes(option: string, file: string): Probe[] {
  return file.split(/\r?\n/).flatMap((line, index) => {
    if (/^\s*(#|$)/.test(line)) return [];
    try {
      return [parseProbe(option, line)];
    } catch (error) {
      if (!(error instanceof LookupOptionError)) throw error;
      throw new LookupOptionError(optionMessage`line ${index + 1}: ${error.template}`);
    }
  });
}
