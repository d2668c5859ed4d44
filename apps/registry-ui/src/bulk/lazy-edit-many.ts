import { lazy } from 'react';
import { loadCode } from '../elements/load-code.js';

export const EditMany = lazy(async () =>
  loadCode(async () => ({ default: (await import('./edit-many.js')).EditMany })),
);
