import { Combobox, type ComboboxStore, Loader, TextInput, useCombobox } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ClientDocument } from '../api/client-documents.js';
import { Icon } from '../elements/icon.js';
import { text } from '../texts/text.js';
import { ClientResult } from './client-result.js';
import { searchedFor } from './searched-for.js';
import { usePendingEnter, useClientSearch } from './use-client-search.js';

interface ClientPickerProps {
  readonly label: string;
  readonly onPick: (client: ClientDocument) => void;
}

/** Finds one client by part of its name, id or URIs. */
export function ClientPicker({ label, onPick }: ClientPickerProps) {
  const [typed, setTyped] = useState('');
  const { clients, searching, error } = useClientSearch(typed);
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() });
  useFirstOption(box, clients, searching);
  const pick = (client: ClientDocument | undefined) => {
    if (!client) return;
    onPick(client);
    setTyped('');
    box.closeDropdown();
  };
  const enter = usePendingEnter(!searching, () => pick(clients[0]));
  const open = () => {
    if (searchedFor(typed) !== '') box.openDropdown();
  };
  return (
    <Combobox store={box} onOptionSubmit={(id) => pick(clients.find(({ client_id }) => client_id === id))}>
      <Combobox.Target>
        <TextInput
          label={label}
          placeholder={text('search.placeholder')}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            enter.cancel();
            box.openDropdown();
          }}
          onKeyDown={({ key, nativeEvent }) => {
            // While a response is pending nothing is selected, so the combobox ignores Enter.
            if (key === 'Enter' && searching && !nativeEvent.isComposing) enter.ask();
          }}
          onFocus={open}
          onClick={open}
          onBlur={() => box.closeDropdown()}
          leftSection={<Icon name="search" />}
          rightSection={searching ? <Loader size={14} /> : undefined}
          error={error?.message}
          autoComplete="off"
          spellCheck={false}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={searchedFor(typed) === '' || (searching && clients.length === 0)}>
        <Options label={label} typed={typed} clients={clients} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface OptionsProps {
  readonly label: string;
  readonly typed: string;
  readonly clients: readonly ClientDocument[];
}

function Options({ label, typed, clients }: OptionsProps) {
  return (
    <Combobox.Options aria-label={label}>
      {clients.map((client) => (
        <Combobox.Option key={client.client_id} value={client.client_id}>
          <ClientResult client={client} searched={typed} />
        </Combobox.Option>
      ))}
      {clients.length === 0 && <Combobox.Empty>{text('search.nothing')}</Combobox.Empty>}
    </Combobox.Options>
  );
}

/** Enter picks the first result, but never one for earlier input. */
function useFirstOption(
  { resetSelectedOption, selectFirstOption }: ComboboxStore,
  clients: readonly ClientDocument[],
  searching: boolean,
): void {
  const found = clients.map(({ client_id }) => client_id).join('\n');
  useEffect(() => {
    if (searching) resetSelectedOption();
    else selectFirstOption();
  }, [found, searching, resetSelectedOption, selectFirstOption]);
}
