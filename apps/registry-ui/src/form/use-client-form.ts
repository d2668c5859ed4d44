import type { CurrentClient } from '@svc/client-metadata';
import { useMemo, useState } from 'react';
import { type Control, useForm, useWatch } from 'react-hook-form';
import type { Violation } from '../api/api-error.js';
import type { FeatureField, Features } from '../api/client-documents.js';
import { type FormValues, inputFields, patchOf, sameValue, toBody, toFormValues } from './form-values.js';
import { repeatedEntries, validateForm } from './validate-form.js';
import { fieldOf, useRefusal } from './use-refusal.js';
import { fixOf } from './warning-fixes.js';

interface ClientFormOptions {
  readonly features: Features;
  /** The client to edit; omitted for a registration. */
  readonly current?: CurrentClient;
  /** Initial values; the client's own by default. */
  readonly start?: Readonly<Record<string, unknown>>;
  /** For a registration: skips the rules between fields. The values are for clients that differ in the others. */
  readonly eachFieldAlone?: boolean;
}

export interface ClientForm {
  readonly fields: readonly FeatureField[];
  readonly control: Control<FormValues>;
  readonly body: Record<string, unknown>;
  readonly dirty: boolean;
  /** Violations found by the shared rules or reported by the server. */
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
  /** The members that resolve a kind of warning, if the registry's rules accept them. */
  fixOf(code: string): Readonly<Record<string, unknown>> | undefined;
  /** Puts values into the inputs. */
  fill(members: Readonly<Record<string, unknown>>): void;
  /** The violations of a field that should be visible by now. */
  shownViolations(name: string): readonly Violation[];
  /** Reveals all violations. @returns whether the form may be sent; earlier server refusals may be obsolete */
  check(): boolean;
  /** The members that differ from the client being edited; cleared ones are null, as in a JSON merge patch. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** Shows what the server refused: at the fields it names, else as `failure`. */
  refuse(error: Error): void;
  /** Violations of the last refusal; a new array each time. */
  readonly refused: readonly Violation[];
  /** Why the last attempt failed, if no field of the form is responsible. */
  readonly failure: Error | undefined;
}

/** The state of a client form, validated on every change. */
export function useClientForm({
  features,
  current,
  start = current ?? {},
  eachFieldAlone = false,
}: ClientFormOptions): ClientForm {
  const fields = useMemo(
    () => inputFields(features.fields, current ? 'edit' : 'register'),
    [features, current],
  );
  const [defaultValues] = useState(() => toFormValues(fields, start));
  const { control, formState, setValue } = useForm<FormValues>({ defaultValues, mode: 'onTouched' });
  const values = useWatch({ control });
  const [checked, setChecked] = useState(false);
  const body = useMemo(() => toBody(fields, values, current), [fields, values, current]);
  const validation = useMemo(
    () => validateForm(features, body, current, { eachFieldAlone }),
    [features, body, current, eachFieldAlone],
  );
  const repeated = useMemo(() => repeatedEntries(fields, values), [fields, values]);
  const refusal = useRefusal(body, (name) => fields.some((field) => field.name === name));
  const violations = [...validation.violations, ...repeated, ...refusal.violations];
  const { touchedFields, isDirty } = formState;
  return {
    fields,
    control,
    body,
    dirty: isDirty,
    violations,
    warnings: validation.warnings,
    fixOf: (code) => fixOf(code, features, body, current),
    fill: (members) => {
      const filled = toFormValues(fields, { ...body, ...members });
      for (const name of Object.keys(members)) setValue(name, filled[name], { shouldDirty: true });
    },
    patch: useMemo(() => patchOf(fields, current ?? {}, body), [fields, current, body]),
    shownViolations: (name) =>
      checked || touchedFields[name] || !sameValue(values[name], defaultValues[name])
        ? violations.filter(({ field }) => fieldOf(field) === name)
        : [],
    check: () => {
      setChecked(true);
      refusal.forget();
      return validation.violations.length === 0 && repeated.length === 0;
    },
    refuse: refusal.refuse,
    refused: refusal.latest,
    failure: refusal.failure,
  };
}
