import { type ComponentType, createElement, useState } from 'react';
import { Stack } from '@mantine/core';
import type { TaggedClient } from '../api/client-documents.js';
import { CodePanel } from '../elements/code-panel.js';
import { ClientHistory } from '../history/client-history.js';
import { QuickstartTabs } from '../quickstarts/quickstart-tabs.js';
import { RedirectTester } from '../redirects/redirect-tester.js';
import { text, type TextName } from '../texts/client.js';
import { ClientUsage } from '../usage/client-usage.js';
import { ClientSettings } from './client-settings.js';
import type { ClientTab } from './client-tab-names.js';
import { WebhookProbe } from './webhook-probe.js';

/** A client's tabs. A new one is a row here and a name in `client-tab-names.ts`. */
export const CLIENT_TABS: readonly {
  readonly id: ClientTab;
  readonly name: TextName;
  readonly Content: ComponentType<TaggedClient>;
}[] = [
  { id: 'settings', name: 'client.tab.settings', Content: ClientSettings },
  { id: 'usage', name: 'usage.title', Content: ClientUsage },
  {
    id: 'history',
    name: 'history.title',
    Content: (tagged) => createElement(ClientHistory, { clientId: tagged.client.client_id, tagged }),
  },
  { id: 'tests', name: 'client.tab.tests', Content: ClientTests },
  { id: 'snippets', name: 'client.tab.snippets', Content: QuickstartTabs },
  { id: 'json', name: 'client.tab.json', Content: ClientJson },
];

function ClientJson({ client }: TaggedClient) {
  return <CodePanel title={text('client.json.title')} code={JSON.stringify(client, undefined, 2)} />;
}

/** Tests of a client: redirect URIs and its cookie webhook. */
function ClientTests({ client }: TaggedClient) {
  const [requested, setRequested] = useState('');
  return (
    <Stack gap="lg">
      <RedirectTester
        registered={client}
        method={client.redirect_uri_validation_method}
        requested={requested}
        onChange={setRequested}
      />
      {client.cookie_webhook_uri !== undefined && (
        <WebhookProbe clientId={client.client_id} uri={client.cookie_webhook_uri} />
      )}
    </Stack>
  );
}
