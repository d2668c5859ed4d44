import type { SupportedField } from '@svc/client-metadata';
import { WithReferences } from '../elements/external-link.js';

/** What a field is for, and the document that says so. */
export function InputHelp({ field }: { readonly field: SupportedField }) {
  const sourced = field.source.startsWith('RFC') || field.source.startsWith('OpenID');
  return (
    <>
      {field.description}
      {sourced && (
        <>
          {' '}
          <WithReferences>{field.source}</WithReferences>
        </>
      )}
    </>
  );
}

/** The props that every input of a field takes. */
export interface InputProps<T> {
  readonly field: SupportedField;
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly onBlur: () => void;
  /** What is wrong, to be shown now. */
  readonly error: string | undefined;
  /** What the value might look like. */
  readonly example: unknown;
}

/** The id by which a field's input is found, to lead the focus there. */
export function inputId(name: string): string {
  return `field-${name}`;
}
