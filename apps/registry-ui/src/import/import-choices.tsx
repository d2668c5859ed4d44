import { Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { text } from '../texts/import.js';
import type { ImportChoices } from './import-clients.js';

interface ImportChoicesInputProps {
  readonly choices: ImportChoices;
  readonly disabled: boolean;
  /** Whether clients missing from the file can be identified. */
  readonly canPrune: boolean;
  readonly onChange: (choices: ImportChoices) => void;
}

/** Which set the file contains, and what may happen to other clients. */
export function ImportChoicesInput({ choices, disabled, canPrune, onChange }: ImportChoicesInputProps) {
  const [name, setName] = useState(choices.set);
  // Every change of the set sends the file again, so it counts once it is complete.
  const commit = () => {
    const set = name.trim();
    if (set !== choices.set) onChange({ ...choices, set, prune: choices.prune && set !== '' });
  };
  return (
    <Stack gap="md">
      <TextInput
        label={text('import.set')}
        description={text('import.set.what')}
        value={name}
        disabled={disabled}
        onChange={(event) => setName(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
      <Switch
        label={text('import.prune')}
        description={text(canPrune ? 'import.prune.what' : 'import.prune.partial')}
        checked={choices.prune && canPrune}
        disabled={disabled || !canPrune || choices.set === ''}
        onChange={(event) => onChange({ ...choices, prune: event.currentTarget.checked })}
      />
      <Switch
        label={text('import.takeOver')}
        description={text('import.takeOver.what')}
        checked={choices.takeOver}
        disabled={disabled}
        onChange={(event) => onChange({ ...choices, takeOver: event.currentTarget.checked })}
      />
    </Stack>
  );
}
