import type { TaggedClient } from '../api/client-documents.js';
import { CodePanel } from '../elements/code-panel.js';
import { text } from '../texts/text.js';

/** A Client as the HTTP API answers with it. */
export function ClientJson({ client }: TaggedClient) {
  return <CodePanel title={text('client.json.title')} code={JSON.stringify(client, undefined, 2)} />;
}
