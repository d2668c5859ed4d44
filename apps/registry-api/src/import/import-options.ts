/** How an import is carried out. */
export interface ImportOptions {
  /** Only tell what would be done. */
  readonly dryRun: boolean;
  /** Delete the Clients that are absent in the import. */
  readonly prune: boolean;
}
