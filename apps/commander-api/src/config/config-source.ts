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

/** The settings of one source, and one line per error, without values. */
export interface ParsedSource {
  readonly settings: readonly Setting[];
  readonly errors: readonly string[];
}
