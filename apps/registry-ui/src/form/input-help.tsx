import { ActionIcon } from '@mantine/core';
import { useId, useState } from 'react';
import type { FeatureField } from '../api/client-documents.js';
import { WithReferences } from '../elements/external-link.js';
import { Icon } from '../elements/icon.js';
import { optionalText, text } from '../texts/form.js';
import classes from './form.module.css';

/** A field's description, in the console's own words where it names values. Its wire name and specification are behind a button. */
export function InputHelp({ field }: { readonly field: FeatureField }) {
  const [opened, setOpened] = useState(false);
  const id = useId();
  const sourced = field.source.startsWith('RFC') || field.source.startsWith('OpenID');
  return (
    <>
      {optionalText(`help.${field.name}`) ?? field.description}{' '}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        className={classes.info}
        aria-label={text('form.about', { label: field.label })}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <Icon name="info" size={14} />
      </ActionIcon>
      <span id={id} hidden={!opened} className={classes.source}>
        <code>{field.name}</code>
        {sourced && (
          <>
            {' · '}
            <WithReferences>{field.source}</WithReferences>
          </>
        )}
      </span>
    </>
  );
}

export interface InputProps<T> {
  readonly field: FeatureField;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly onBlur: () => void;
  /** The violation to show now. */
  readonly error: string | undefined;
  /** A sample value. */
  readonly example: unknown;
}

/** The element id of a field's input. */
export function inputId(name: string): string {
  return `field-${name}`;
}

/** Focuses a field's input; in a list, the first invalid row. @returns whether the form has such an input */
export function focusField(name: string): boolean {
  const place = document.getElementById(inputId(name));
  const input = place?.matches('input, textarea')
    ? place
    : (place?.querySelector<HTMLElement>('[aria-invalid=true]') ??
      place?.querySelector<HTMLElement>('input, textarea'));
  input?.focus();
  input?.scrollIntoView({ block: 'center' });
  return input !== null && input !== undefined;
}
