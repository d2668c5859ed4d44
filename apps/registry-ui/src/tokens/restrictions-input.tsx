import { Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { text } from '../texts/tokens.js';
import { COUNTS, NO_RESTRICTIONS, type RestrictionInputs } from './token-restrictions.js';
import classes from './tokens.module.css';

interface RestrictionsInputProps {
  readonly value: RestrictionInputs;
  readonly onChange: (value: RestrictionInputs) => void;
  /** Whether the token may register clients. */
  readonly registers: boolean;
  readonly violationOf: (name: keyof RestrictionInputs) => string | undefined;
}

/** Folded: most tokens are restricted by their scopes alone. */
export function RestrictionsInput({ value, onChange, registers, violationOf }: RestrictionsInputProps) {
  const propsOf = (name: keyof RestrictionInputs) => ({
    label: text(`tokens.restrict.${name}`),
    description: text(`tokens.restrict.${name}.help`),
    value: value[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...value, [name]: event.currentTarget.value }),
    error: violationOf(name),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
  });
  const [opened, setOpened] = useState(false);
  const invalid = Object.keys(NO_RESTRICTIONS).some(
    (name) => violationOf(name as keyof RestrictionInputs) !== undefined,
  );
  const lines = { autosize: true, minRows: 1, maxRows: 6, classNames: { input: 'mono' } };
  return (
    <details
      className={classes.restrictions}
      open={opened || invalid}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>{text('tokens.restrict')}</summary>
      <Stack gap="md" mt="sm">
        <Textarea {...propsOf('selector')} {...lines} placeholder="team:shop" />
        <TextInput {...propsOf('client_id')} className="mono-input" />
        <Textarea {...propsOf('networks')} {...lines} placeholder="10.0.0.0/8" />
        {(registers ? COUNTS : COUNTS.slice(0, 1)).map((name) => (
          <TextInput key={name} {...propsOf(name)} inputMode="numeric" />
        ))}
      </Stack>
    </details>
  );
}
