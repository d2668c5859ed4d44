/** One setting as written, with the place that a fault about it names. */
export interface Setting {
  readonly section: string;
  /** Empty where something else than keys stands in the section. */
  readonly key: string;
  /** The text, or the items of a YAML sequence. */
  readonly value: string | readonly string[];
  /** `svccmd.conf:12`, or the name of an environment variable. */
  readonly origin: string;
}

/** What one source says: its settings, and one line for each fault, without any value. */
export interface ParsedSource {
  readonly settings: readonly Setting[];
  readonly faults: readonly string[];
}
