/** How a value is read and shown. */
export type ConfigType =
  | 'text'
  /** A file or folder. */
  | 'path'
  /** A folder or URL. */
  | 'location'
  /** A file or inline key material. */
  | 'key'
  /** A program and its arguments. */
  | 'command'
  /** Words separated by commas. */
  | 'list'
  /** Files. */
  | 'paths'
  /** Addresses and CIDR blocks. */
  | 'networks'
  /** Patterns, each with a file after a colon. */
  | 'schemas'
  | 'port'
  /** A number of seconds, or a number with a unit (ms, s, m, h, d). */
  | 'duration'
  /** A whole number. */
  | 'bytes'
  | 'switch'
  | { readonly oneOf: readonly string[] }
  | NumberRange;

/** Whole numbers, both ends included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Sections that occur once. */
export type PlainSection =
  'pwdencryptor' | 'source' | 'validate' | 'destination' | 'iplookup' | 'registry' | 'http';

/** The section of one library or token, such as `library:parsers`. */
export type NamedSection = `library:${string}` | `token:${string}`;

/** One configuration key. Parsing, its environment variable, `config init`, docs and masking all read this row. */
export interface ConfigKey {
  readonly section: PlainSection | NamedSection;
  /** The name in the file. */
  readonly key: string;
  /** The field of the section in {@link CommanderConfig}, where it differs from `key`. */
  readonly field?: string;
  readonly type: ConfigType;
  /** As it would be written in the file. */
  readonly default?: string;
  /** True when the value must never be shown. */
  readonly secret?: boolean;
  /** A value for the commented example. */
  readonly example?: string;
  readonly description: string;
  /** True when named libraries do not inherit the value from the plain section. */
  readonly own?: boolean;
  /** In a named library's section: the corresponding key of the plain section. */
  readonly base?: ConfigKey;
}

/** The environment variable that overrides a key, such as `SVCCMD_LIBRARY_PARSERS_SOURCE_PATH` of `[library:parsers]`. */
export function environmentName({ section, key }: Pick<ConfigKey, 'section' | 'key'>): string {
  return `SVCCMD_${section}_${key}`.toUpperCase().replaceAll(/[:.-]/g, '_');
}

/** A setting as written, and its place for errors. */
export interface Setting {
  readonly section: string;
  /** Empty if the section contains something other than keys. */
  readonly key: string;
  /** The text, or the items of a YAML sequence. */
  readonly value: string | readonly string[];
  /** `svccmd.conf:12`, or the name of an environment variable. */
  readonly origin: string;
}

/** A section as written, with or without keys, and its place for errors. */
export interface SectionPlace {
  readonly section: string;
  readonly origin: string;
}

/** The settings of one source, and one line per error, without values. */
export interface ParsedSource {
  readonly sections: readonly SectionPlace[];
  readonly settings: readonly Setting[];
  readonly errors: readonly string[];
}
