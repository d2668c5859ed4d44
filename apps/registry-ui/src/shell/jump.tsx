import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { FoundClient } from '../search/client-picker.js';
import { useClientSearch } from '../search/use-client-search.js';
import { text } from '../texts/text.js';
import { type Place, PLACES } from './places.js';

const ALL_PLACES = PLACES.flatMap(({ places }) => places);

/** Ctrl-K: type a few letters, go to any place or any Client. */
export function Jump() {
  const [typed, setTyped] = useState('');
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      centered={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      scrollable
      maxHeight="60vh"
    >
      <Spotlight.Search
        leftSection={<Icon name="search" />}
        placeholder={text('jump.placeholder')}
        aria-label={text('jump.placeholder')}
      />
      <Found typed={typed} />
    </Spotlight.Root>
  );
}

function Found({ typed }: { readonly typed: string }) {
  const { clients, searching } = useClientSearch(typed);
  const words = typed.trim().toLowerCase();
  const places = ALL_PLACES.filter(({ name }) => text(name).toLowerCase().includes(words));
  return (
    <Spotlight.ActionsList>
      {places.length > 0 && (
        <Spotlight.ActionsGroup label={text('jump.places')}>
          {places.map((place) => (
            <PlaceAction key={place.to} {...place} />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {clients.length > 0 && (
        <Spotlight.ActionsGroup label={text('clients.title')}>
          {clients.map((client) => (
            <ClientAction key={client.client_id} client={client} />
          ))}
        </Spotlight.ActionsGroup>
      )}
      {places.length + clients.length === 0 && (
        <Spotlight.Empty>{text(searching ? 'jump.searching' : 'jump.nothing')}</Spotlight.Empty>
      )}
    </Spotlight.ActionsList>
  );
}

function PlaceAction({ to, name, icon }: Place) {
  const navigate = useNavigate();
  return (
    <Spotlight.Action
      label={text(name)}
      leftSection={<Icon name={icon} />}
      onClick={() => void navigate({ to })}
    />
  );
}

function ClientAction({ client }: { readonly client: ClientDocument }) {
  const navigate = useNavigate();
  const open = () => void navigate({ to: '/clients/$clientId', params: { clientId: client.client_id } });
  return (
    <Spotlight.Action onClick={open}>
      <FoundClient client={client} />
    </Spotlight.Action>
  );
}
