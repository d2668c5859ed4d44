import { Stack, Text } from '@mantine/core';
import type { TaggedClient } from '../api/client-documents.js';
import { CodePanel } from '../elements/code-panel.js';
import { text } from '../texts/text.js';
import { snippetsOf } from './snippets.js';

/** Settings for the programs that use a Client, to be copied. */
export function ClientSnippets({ client }: TaggedClient) {
  return (
    <Stack gap="lg">
      <Text c="dimmed" maw="70ch">
        {text('client.snippets.lead')}
      </Text>
      {snippetsOf(client, location.origin).map(({ title, code }) => (
        <CodePanel key={title} title={title} code={code} />
      ))}
    </Stack>
  );
}
