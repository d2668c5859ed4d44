import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { TaggedClient } from '../api/client-documents.js';
import { RedirectTester } from '../redirects/redirect-tester.js';
import { WebhookProbe } from './webhook-probe.js';

/** What can be tried out with a Client: addresses to be redirected to, and its cookie webhook. */
export function ClientTests({ client }: TaggedClient) {
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
