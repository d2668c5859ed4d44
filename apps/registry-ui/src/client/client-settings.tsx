import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ClientDocument } from '@svc/client-metadata';
import type { TaggedClient } from '../api/client-documents.js';
import { featuresQuery } from '../api/client-queries.js';
import { Failure } from '../elements/failure.js';
import { Panel } from '../elements/panel.js';
import { sectionsOf } from '../metadata/sections.js';
import { SecretsPanel } from '../secrets/secrets-panel.js';
import { text } from '../texts/text.js';
import { FieldRow } from './field-row.js';
import { Warnings } from '../elements/warnings.js';

/** Everything that can be set of a Client, and what the registry made for it, section by section. */
export function ClientSettings({ client }: TaggedClient) {
  const { data: features, error, refetch } = useQuery(featuresQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!features) return <Skeleton height={360} radius="lg" />;
  const shown = features.fields.filter(({ name, editable }) => isShown(name, editable, client));
  return (
    <Stack gap="lg">
      <Warnings warnings={client.warnings} />
      <SecretsPanel client={client} />
      {sectionsOf(shown).map(({ id, title, fields }) => (
        <Panel key={id} title={text(title)}>
          <dl style={{ margin: 0 }}>
            {fields.map((field) => (
              <FieldRow key={field.name} field={field} client={client} />
            ))}
          </dl>
        </Panel>
      ))}
    </Stack>
  );
}

/** The name and the id stand above; what is only asked for at registration has become the id. */
function isShown(name: string, editable: string, client: ClientDocument): boolean {
  if (name === 'client_name' || name === 'client_id' || name === 'client_secret') return false;
  return editable === 'always' || (editable === 'never' && Object.hasOwn(client, name));
}
