import type { IconName } from '../elements/icon.js';
import type { TextName } from '../texts/text.js';

/** A screen that the sidebar or the command palette links to. */
export interface Page {
  readonly to:
    | '/'
    | '/changes'
    | '/activity'
    | '/deleted'
    | '/clients'
    | '/register'
    | '/import'
    | '/redirects'
    | '/cookies'
    | '/recommendations'
    | '/tokens'
    | '/features';
  readonly name: TextName;
  readonly icon: IconName;
}

/** Sidebar navigation. A new screen is one row here and one in the routes. */
export const NAVIGATION: readonly { readonly group?: TextName; readonly places: readonly Page[] }[] = [
  {
    places: [
      { to: '/', name: 'overview.title', icon: 'overview' },
      { to: '/clients', name: 'clients.title', icon: 'clients' },
      { to: '/changes', name: 'changes.title', icon: 'pulse' },
      { to: '/activity', name: 'activity.title', icon: 'clock' },
      { to: '/deleted', name: 'deleted.title', icon: 'trash' },
    ],
  },
  {
    group: 'sidebar.tools',
    places: [
      { to: '/redirects', name: 'redirects.title', icon: 'target' },
      { to: '/cookies', name: 'cookies.title', icon: 'cookie' },
      { to: '/recommendations', name: 'recommendations.title', icon: 'check' },
    ],
  },
  {
    group: 'sidebar.registry',
    places: [
      { to: '/tokens', name: 'tokens.title', icon: 'key' },
      { to: '/features', name: 'features.title', icon: 'book' },
    ],
  },
];

/** Pages in the command palette: those of the sidebar and occasional tasks. */
export const PALETTE_PAGES: readonly Page[] = [
  ...NAVIGATION.flatMap(({ places }) => places),
  { to: '/register', name: 'register.title', icon: 'plus' },
  { to: '/import', name: 'import.title', icon: 'upload' },
];
