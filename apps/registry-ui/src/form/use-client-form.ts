import {
  type CurrentClient,
  judgeRegistration,
  judgeUpdate,
  type Judgement,
  readCapabilities,
  type SupportedField,
} from '@svc/client-metadata';
import { useMemo, useState } from 'react';
import { type Control, useForm, useWatch } from 'react-hook-form';
import { ApiError, type FieldProblem } from '../api/api-error.js';
import type { Features } from '../api/client-documents.js';
import { type FormValues, inputFields, toBody, toFormValues } from './form-values.js';

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
  /** Why the last attempt failed, where no field is to blame. */
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
  const [refused, setRefused] = useState<Refusal>(NOTHING_REFUSED);
  const body = useMemo(() => toBody(fields, values, current), [fields, values, current]);
  const judgement = useMemo(() => judge(features, body, current), [features, body, current]);
  const judged = problemsOf(judgement);
  const problems = [...judged, ...standing(refused, body)];
  const { touchedFields, isDirty } = formState;
  return {
    fields,
    control,
    body,
    dirty: isDirty,
    problems,
    warnings: judgement?.warnings ?? [],
    shownProblems: (name) =>
      checked || touchedFields[name] || values[name] !== defaultValues[name]
        ? problems.filter(({ field }) => fieldOf(field) === name)
        : [],
    check: () => {
      setChecked(true);
      setRefused(NOTHING_REFUSED);
      return judged.length === 0;
    },
    refuse: (error) => {
      const named = error instanceof ApiError ? error.errors : [];
      setRefused({ problems: named, body, failure: named.length === 0 ? error : undefined });
    },
    failure: refused.failure,
  };
}

/** The name of the field that a JSON pointer leads to. */
export function fieldOf(pointer: string): string {
  return pointer.split('/')[1] ?? '';
}

/** What the server refused, and in which state of the form. */
interface Refusal {
  readonly problems: readonly FieldProblem[];
  readonly body: Readonly<Record<string, unknown>>;
  readonly failure: Error | undefined;
}

const NOTHING_REFUSED: Refusal = { problems: [], body: {}, failure: undefined };

/** The server's word stands for as long as its field stays as it was. */
function standing(
  { problems, body: then }: Refusal,
  now: Readonly<Record<string, unknown>>,
): readonly FieldProblem[] {
  return problems.filter(({ field }) => {
    const name = fieldOf(field);
    return JSON.stringify(then[name]) === JSON.stringify(now[name]);
  });
}

function problemsOf(judgement: Judgement | undefined): readonly FieldProblem[] {
  return judgement && !judgement.valid ? judgement.problems : [];
}

/** Nothing when the server is of a version whose rules this one does not know: then it alone judges. */
function judge(features: Features, body: object, current: CurrentClient | undefined): Judgement | undefined {
  try {
    const capabilities = readCapabilities(features);
    return current ? judgeUpdate(current, body, capabilities) : judgeRegistration(body, capabilities);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
