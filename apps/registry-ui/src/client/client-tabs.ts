import { type ComponentType, createElement } from 'react';
import type { TaggedClient } from '../api/client-documents.js';
import type { TextName } from '../texts/text.js';
import { ClientHistory } from '../history/client-history.js';
import { ClientJson } from './client-json.js';
import { ClientSettings } from './client-settings.js';
import { ClientSnippets } from './client-snippets.js';
import { ClientTests } from './client-tests.js';
import type { ClientTab } from './client-tab-names.js';

/** The pages of a Client; a new one is one row here and one name beside it. */
export const CLIENT_TABS: readonly {
  readonly id: ClientTab;
  readonly name: TextName;
  readonly Content: ComponentType<TaggedClient>;
}[] = [
  { id: 'settings', name: 'client.tab.settings', Content: ClientSettings },
  {
    id: 'history',
    name: 'history.title',
    Content: ({ client }) => createElement(ClientHistory, { clientId: client.client_id }),
  },
  { id: 'tests', name: 'client.tab.tests', Content: ClientTests },
  { id: 'snippets', name: 'client.tab.snippets', Content: ClientSnippets },
  { id: 'json', name: 'client.tab.json', Content: ClientJson },
];
