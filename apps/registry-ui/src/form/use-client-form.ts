import type { CurrentClient, SupportedField } from '@svc/client-metadata';
import { useMemo, useState } from 'react';
import { type Control, useForm, useWatch } from 'react-hook-form';
import type { Violation } from '../api/api-error.js';
import type { Features } from '../api/client-documents.js';
import { type FormValues, inputFields, sameValue, toBody, toFormValues } from './form-values.js';
import { validateForm } from './validate-form.js';
import { fieldOf, useRefusal } from './use-refusal.js';

interface ClientFormOptions {
  readonly features: Features;
  /** The Client that is edited; without it one is registered. */
  readonly current?: CurrentClient;
  /** What the inputs begin with; the Client's own values when left out. */
  readonly start?: Readonly<Record<string, unknown>>;
}

/** A form's state, and what is thought of it. */
export interface ClientForm {
  readonly fields: readonly SupportedField[];
  readonly control: Control<FormValues>;
  readonly body: Record<string, unknown>;
  readonly dirty: boolean;
  /** What is wrong, by the same rules as the server's, or by its own word. */
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
  /** Those violations of a field that are to be shown by now. */
  shownViolations(name: string): readonly Violation[];
  /** Shows every violation. @returns whether the form may be sent: what the server refused may be right by now */
  check(): boolean;
  /** Shows what the server refused: at the fields that it names, else as `failure`. */
  refuse(error: Error): void;
  /** What the server refused last: another list for every refusal. */
  readonly refused: readonly Violation[];
  /** Why the last attempt failed, where no field of the form is to blame. */
  readonly failure: Error | undefined;
}

/** Keeps a form of a Client's metadata and judges it at every change. */
export function useClientForm({ features, current, start = current ?? {} }: ClientFormOptions): ClientForm {
  const fields = useMemo(
    () => inputFields(features.fields, current ? 'edit' : 'register'),
    [features, current],
  );
  const [defaultValues] = useState(() => toFormValues(fields, start));
  const { control, formState } = useForm<FormValues>({ defaultValues, mode: 'onTouched' });
  const values = useWatch({ control });
  const [checked, setChecked] = useState(false);
  const body = useMemo(() => toBody(fields, values, current), [fields, values, current]);
  const validation = useMemo(() => validateForm(features, body, current), [features, body, current]);
  const refusal = useRefusal(body, (name) => fields.some((field) => field.name === name));
  const violations = [...validation.violations, ...refusal.violations];
  const { touchedFields, isDirty } = formState;
  return {
    fields,
    control,
    body,
    dirty: isDirty,
    violations,
    warnings: validation.warnings,
    shownViolations: (name) =>
      checked || touchedFields[name] || !sameValue(values[name], defaultValues[name])
        ? violations.filter(({ field }) => fieldOf(field) === name)
        : [],
    check: () => {
      setChecked(true);
      refusal.forget();
      return validation.violations.length === 0;
    },
    refuse: refusal.refuse,
    refused: refusal.latest,
    failure: refusal.failure,
  };
}
