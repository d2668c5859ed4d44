import type { LoadOptions } from '../load-task.js';

/** A load as the command makes it when nothing is said. */
export const PLAIN_LOAD: LoadOptions = {
  dryRun: false,
  prune: 'owned',
  allowEmpty: false,
  ifChanged: false,
  waitMs: 0,
  names: 'library',
  maxBytes: 512 << 20,
  versionNode: '.version.yaml',
  exclude: [],
};
