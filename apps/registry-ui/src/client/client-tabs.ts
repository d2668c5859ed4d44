import type { ComponentType } from 'react';
import type { TaggedClient } from '../api/client-documents.js';
import type { TextName } from '../texts/text.js';
import { ClientJson } from './client-json.js';
import { ClientSettings } from './client-settings.js';
import { ClientSnippets } from './client-snippets.js';
import type { ClientTab } from './client-tab-names.js';

/** The pages of a Client; a new one is one row here and one name beside it. */
export const CLIENT_TABS: readonly {
  readonly id: ClientTab;
  readonly name: TextName;
  readonly Content: ComponentType<TaggedClient>;
}[] = [
  { id: 'settings', name: 'client.tab.settings', Content: ClientSettings },
  { id: 'snippets', name: 'client.tab.snippets', Content: ClientSnippets },
  { id: 'json', name: 'client.tab.json', Content: ClientJson },
];
