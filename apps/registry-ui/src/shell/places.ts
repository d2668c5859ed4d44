import type { IconName } from '../elements/icon.js';
import type { TextName } from '../texts/text.js';

/** A screen that the rail and the jump box lead to. */
export interface Place {
  readonly to: '/clients' | '/register';
  readonly name: TextName;
  readonly icon: IconName;
}

/** The places in the order of the rail; a new screen is one row here and one in the routes. */
export const PLACES: readonly { readonly group?: TextName; readonly places: readonly Place[] }[] = [
  { places: [{ to: '/clients', name: 'clients.title', icon: 'clients' }] },
];
