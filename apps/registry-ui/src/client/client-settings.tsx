import { Box, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClientDocument, Features, TaggedClient } from '../api/client-documents.js';
import { featuresQuery } from '../api/client-queries.js';
import { EditCard } from '../edit/edit-card.js';
import { Failure } from '../elements/failure.js';
import { type Section, sectionsOf } from '../metadata/sections.js';
import { SecretsPanel } from '../secrets/secrets-panel.js';
import { SettingsCard } from './settings-card.js';

/** A client's settings by section, each edited in place, and its secrets. */
export function ClientSettings(tagged: TaggedClient) {
  const { data: features, error, refetch } = useQuery(featuresQuery);
  return (
    <>
      {error && (
        <Box mb="lg">
          <Failure error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {!features && !error && <Skeleton height={360} radius="lg" />}
      {features && <Cards features={features} tagged={tagged} />}
    </>
  );
}

interface CardsProps {
  readonly features: Features;
  readonly tagged: TaggedClient;
}

/** One card at a time is edited; the others stay as they are. */
function Cards({ features, tagged }: CardsProps) {
  const { client } = tagged;
  const [editing, setEditing] = useState<string>();
  const [dirty, setDirty] = useState(false);
  const sections = sectionsOf(
    features.fields.filter(({ name, editable }) => isShown(name, editable, client)),
  );
  const index = sections.findIndex(({ id }) => id === editing);
  const edited = sections[index];
  const cardsOf = (shown: readonly Section[]) =>
    shown.map((section) => (
      <SettingsCard
        key={section.id}
        section={section}
        features={features}
        tagged={tagged}
        busy={dirty}
        onEdit={() => setEditing(section.id)}
      />
    ));
  const secrets = <SecretsPanel client={client} />;
  if (!edited) {
    return (
      <Stack gap="lg">
        {secrets}
        {cardsOf(sections)}
      </Stack>
    );
  }
  return (
    <EditCard
      key={edited.id}
      features={features}
      section={editableOf(edited)}
      client={tagged}
      above={
        <>
          {secrets}
          {cardsOf(sections.slice(0, index))}
        </>
      }
      below={cardsOf(sections.slice(index + 1))}
      onDirty={setDirty}
      onDone={() => {
        setEditing(undefined);
        setDirty(false);
      }}
    />
  );
}

/** The id is shown above; `preferred_client_id` has become the id. */
function isShown(name: string, editable: string, client: ClientDocument): boolean {
  if (name === 'client_id' || name === 'client_secret') return false;
  return editable === 'always' || (editable === 'never' && Object.hasOwn(client, name));
}

function editableOf(section: Section): Section {
  return { ...section, fields: section.fields.filter((field) => field.editable === 'always') };
}
