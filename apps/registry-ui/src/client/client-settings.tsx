import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClientDocument, Features, TaggedClient } from '../api/client-documents.js';
import { featuresQuery } from '../api/client-queries.js';
import { type CardState, EditCard } from '../edit/edit-card.js';
import { Failure } from '../elements/failure.js';
import { type Section, sectionsOf } from '../metadata/sections.js';
import { SecretsPanel } from '../secrets/secrets-panel.js';
import { SettingsCard } from './settings-card.js';

/** A client's settings by section, each edited in place, and its secrets. */
export function ClientSettings(tagged: TaggedClient) {
  const { data: features, error, refetch } = useQuery(featuresQuery);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!features) return <Skeleton height={360} radius="lg" />;
  return <Cards features={features} tagged={tagged} />;
}

interface CardsProps {
  readonly features: Features;
  readonly tagged: TaggedClient;
}

/** One card at a time is edited. The others stay as they are, and give way to a merge. */
function Cards({ features, tagged }: CardsProps) {
  const { client } = tagged;
  const [editing, setEditing] = useState<string>();
  const [state, setState] = useState<CardState>('clean');
  const shown = features.fields.filter(({ name, editable }) => isShown(name, editable, client));
  const close = () => {
    setEditing(undefined);
    setState('clean');
  };
  return (
    <Stack gap="lg">
      <div hidden={state === 'merging'}>
        <SecretsPanel client={client} />
      </div>
      {sectionsOf(shown).map((section) =>
        section.id === editing ? (
          <EditCard
            key={section.id}
            features={features}
            section={editable(section)}
            client={tagged}
            onState={setState}
            onDone={close}
          />
        ) : (
          <div key={section.id} hidden={state === 'merging'}>
            <SettingsCard
              section={section}
              features={features}
              tagged={tagged}
              busy={state !== 'clean'}
              onEdit={() => setEditing(section.id)}
            />
          </div>
        ),
      )}
    </Stack>
  );
}

/** The id is shown above; `preferred_client_id` has become the id. */
function isShown(name: string, editable: string, client: ClientDocument): boolean {
  if (name === 'client_id' || name === 'client_secret') return false;
  return editable === 'always' || (editable === 'never' && Object.hasOwn(client, name));
}

function editable(section: Section): Section {
  return { ...section, fields: section.fields.filter((field) => field.editable === 'always') };
}
