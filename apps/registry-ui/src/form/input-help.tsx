import type { FeatureField } from '../api/client-documents.js';
import { WithReferences } from '../elements/external-link.js';

/** A field's description and its specification. */
export function InputHelp({ field }: { readonly field: FeatureField }) {
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
