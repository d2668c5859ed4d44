import type { ClientDocument, CurrentClient } from '@svc/client-metadata';
import { useMemo, useState } from 'react';
import type { FieldProblem } from '../api/api-error.js';
import type { Features } from '../api/client-documents.js';
import { sameValue } from '../form/form-values.js';
import { judgeForm } from '../form/judge-form.js';
import { useRefusal } from '../form/use-refusal.js';
import { merged, type MergeRow, type Side, sideOf } from './merge-changes.js';

/** A side that somebody chose, for as long as theirs is what it was then. */
interface Chosen {
  readonly side: Side;
  readonly theirs: unknown;
}

/** Whose changes are kept, and what is thought of what that comes to. */
export interface MergeChoice {
  readonly body: Readonly<Record<string, unknown>>;
  /** What is wrong with it, by the rules or by the server's word. */
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly FieldProblem[];
  readonly failure: Error | undefined;
  sideOf(row: MergeRow): Side;
  choose(row: MergeRow, side: Side): void;
  /** Whether it may be sent: what the server refused may be right by now. */
  mayBeSaved(): boolean;
  refuse(error: Error): void;
}

/** Keeps the choice between two changes; one whose value changed once more is open again. */
export function useMergeChoice(
  features: Features,
  current: ClientDocument,
  theirs: Readonly<Record<string, unknown>>,
  rows: readonly MergeRow[],
): MergeChoice {
  const [choices, setChoices] = useState<Readonly<Record<string, Chosen>>>({});
  const chosenFor = (row: MergeRow) => {
    const choice = choices[row.name];
    return choice && sameValue(choice.theirs, row.theirs) ? choice.side : sideOf(row);
  };
  const body = merged(theirs, rows, Object.fromEntries(rows.map((row) => [row.name, chosenFor(row)])));
  const written = JSON.stringify(body);
  const judgement = useMemo(
    () => judgeForm(features, JSON.parse(written) as object, current as ClientDocument & CurrentClient),
    [features, written, current],
  );
  // A problem of any other field is listed below the rows.
  const refusal = useRefusal(body, () => true);
  return {
    body,
    problems: [...judgement.problems, ...refusal.problems],
    warnings: judgement.warnings,
    failure: refusal.failure,
    sideOf: chosenFor,
    choose: (row, side) => setChoices({ ...choices, [row.name]: { side, theirs: row.theirs } }),
    mayBeSaved: () => {
      refusal.forget();
      return judgement.problems.length === 0;
    },
    refuse: refusal.refuse,
  };
}
