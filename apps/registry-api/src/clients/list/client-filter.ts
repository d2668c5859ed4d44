/** Which Clients a list, a total or an export is about. Everything that is said must hold. */
export interface ClientFilter {
  /** Words, each of which must be found in the name, the client_id, or host and path of a URI. */
  readonly q?: string;
  readonly enabled?: boolean;
  readonly hasWarnings?: boolean;
  /** The code of a warning. */
  readonly warning?: string;
  /** Values of metadata fields with few values; a list field must hold the value. */
  readonly metadata: readonly MetadataFilter[];
  /** Inclusive. */
  readonly createdSince?: Date;
  readonly updatedSince?: Date;
  /** It authenticates itself and has a valid secret that ends within so many days. */
  readonly secretExpiresWithin?: number;
  /** Whether it authenticates itself and has a valid secret that no check ever found valid. */
  readonly secretNeverUsed?: boolean;
}

export interface MetadataFilter {
  readonly field: string;
  readonly type: 'string' | 'string[]' | 'boolean';
  readonly value: string;
}
