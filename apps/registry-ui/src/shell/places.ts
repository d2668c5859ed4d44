import type { IconName } from '../elements/icon.js';
import type { TextName } from '../texts/text.js';

/** A screen that the rail or the jump box leads to. */
export interface Place {
  readonly to:
    | '/'
    | '/changes'
    | '/clients'
    | '/register'
    | '/import'
    | '/redirects'
    | '/cookies'
    | '/tokens'
    | '/features';
  readonly name: TextName;
  readonly icon: IconName;
}

/** The places in the order of the rail; a new screen is one row here and one in the routes. */
export const PLACES: readonly { readonly group?: TextName; readonly places: readonly Place[] }[] = [
  {
    places: [
      { to: '/', name: 'overview.title', icon: 'overview' },
      { to: '/clients', name: 'clients.title', icon: 'clients' },
      { to: '/changes', name: 'changes.title', icon: 'pulse' },
    ],
  },
  {
    group: 'rail.tools',
    places: [
      { to: '/redirects', name: 'redirects.title', icon: 'target' },
      { to: '/cookies', name: 'cookies.title', icon: 'cookie' },
    ],
  },
  {
    group: 'rail.registry',
    places: [
      { to: '/tokens', name: 'tokens.title', icon: 'key' },
      { to: '/features', name: 'features.title', icon: 'book' },
    ],
  },
];

/** The places that the jump box leads to: those of the rail, and what is done now and then. */
export const JUMP_PLACES: readonly Place[] = [
  ...PLACES.flatMap(({ places }) => places),
  { to: '/register', name: 'register.title', icon: 'plus' },
  { to: '/import', name: 'import.title', icon: 'upload' },
];
