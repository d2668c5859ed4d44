import type { CurrentClient, SupportedField } from '@svc/client-metadata';
import { useMemo, useState } from 'react';
import { type Control, useForm, useWatch } from 'react-hook-form';
import type { FieldProblem } from '../api/api-error.js';
import type { Features } from '../api/client-documents.js';
import { type FormValues, inputFields, sameValue, toBody, toFormValues } from './form-values.js';
import { judgeForm } from './judge-form.js';
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
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  /** Those problems of a field that are to be shown by now. */
  shownProblems(name: string): readonly FieldProblem[];
  /** Shows every problem. @returns whether the form may be sent: what the server refused may be right by now */
  check(): boolean;
  /** Shows what the server refused: at the fields that it names, else as `failure`. */
  refuse(error: Error): void;
  /** What the server refused last: another list for every refusal. */
  readonly refused: readonly FieldProblem[];
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
  const judgement = useMemo(() => judgeForm(features, body, current), [features, body, current]);
  const refusal = useRefusal(body, (name) => fields.some((field) => field.name === name));
  const problems = [...judgement.problems, ...refusal.problems];
  const { touchedFields, isDirty } = formState;
  return {
    fields,
    control,
    body,
    dirty: isDirty,
    problems,
    warnings: judgement.warnings,
    shownProblems: (name) =>
      checked || touchedFields[name] || !sameValue(values[name], defaultValues[name])
        ? problems.filter(({ field }) => fieldOf(field) === name)
        : [],
    check: () => {
      setChecked(true);
      refusal.forget();
      return judgement.problems.length === 0;
    },
    refuse: refusal.refuse,
    refused: refusal.latest,
    failure: refusal.failure,
  };
}
