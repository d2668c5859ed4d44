import {
  type GuardOptions,
  LookupOptionError,
  parseColumnLimit,
  parseProbe,
  parseProbes,
  parseShare,
  USUAL_GUARDS,
} from '@svc/iplookup-core';
import { CommanderError } from '../../errors/commander-error.js';
import { describeReadError, readAtMostSync } from '../../files/read-at-most.js';

/** The guards of builds, as parsed by the command line. */
export interface GuardFlags {
  /** The usual guards, which the other options override. */
  readonly guards?: boolean;
  readonly verify?: boolean;
  /** Percentages. */
  readonly maxLost?: string;
  /** Pairs such as `country_code=10%`, separated by commas, or a list. */
  readonly maxChanged?: string | readonly string[];
  readonly maxShare?: string;
  /** Such as `8.8.8.8 country_code US`. */
  readonly probe?: readonly string[];
  /** A file of probes. */
  readonly probes?: string;
  readonly notOlder?: boolean;
  readonly force?: boolean;
}

/** Maximum size of a file of probes, in bytes. */
const MAX_PROBES_BYTES = 1 << 20;

/** Each column that is compared takes memory for every record of both lookups. */
const MAX_CHANGE_LIMITS = 32;

/** The other options of a build. */
export function withoutGuards<T extends GuardFlags>(flags: T): Omit<T, keyof GuardFlags> {
  const { guards, verify, maxLost, maxChanged, maxShare, probe, probes, notOlder, force, ...others } = flags;
  return others;
}

/**
 * Converts the flags to the builder's guards.
 *
 * @returns undefined without any
 * @throws {LookupOptionError}
 */
export function toGuards(flags: GuardFlags): GuardOptions | undefined {
  const { verify, maxLost, maxChanged, maxShare, notOlder } = flags;
  const probes = [
    ...(flags.probe ?? []).map((text) => parseProbe('probe', text)),
    ...(flags.probes === undefined ? [] : readProbes(flags.probes)),
  ];
  const guards: GuardOptions = {
    ...(flags.guards ? USUAL_GUARDS : {}),
    ...(verify === undefined ? {} : { verify }),
    ...(maxLost === undefined ? {} : { maxLost: parseShare('maxLost', maxLost) }),
    ...(maxChanged === undefined ? {} : { maxChanged: splitLimits(maxChanged) }),
    ...(maxShare === undefined ? {} : { maxShare: parseShare('maxShare', maxShare) }),
    ...(probes.length === 0 ? {} : { probes }),
    ...(notOlder === undefined ? {} : { notOlder }),
  };
  return Object.keys(guards).length === 0 ? undefined : guards;
}

function splitLimits(limits: string | readonly string[]) {
  const texts = [limits].flat().flatMap((text) => text.split(',').filter(Boolean));
  if (texts.length > MAX_CHANGE_LIMITS)
    throw new LookupOptionError([{ option: 'maxChanged' }, ` takes at most ${MAX_CHANGE_LIMITS} columns`]);
  return texts.map((text) => parseColumnLimit('maxChanged', text));
}

function readProbes(file: string) {
  try {
    return parseProbes('probes', readAtMostSync(file, MAX_PROBES_BYTES).toString('utf8'));
  } catch (error) {
    if (error instanceof LookupOptionError) throw error;
    throw new CommanderError('failed', `${file}: cannot be read: ${describeReadError(error)}`, {
      cause: error,
    });
  }
}
