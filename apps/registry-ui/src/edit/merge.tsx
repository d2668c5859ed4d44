import { Button, Stack } from '@mantine/core';
import type { ClientDocument, SupportedField } from '@svc/client-metadata';
import { useEffect, useRef } from 'react';
import type { FieldProblem } from '../api/api-error.js';
import type { Features, TaggedClient } from '../api/client-documents.js';
import { useLacks } from '../api/own-token.js';
import { Warnings } from '../client/warnings.js';
import { toBody } from '../form/form-values.js';
import { FootBar } from '../elements/foot-bar.js';
import { Notice } from '../elements/notice.js';
import { fieldOf } from '../form/use-refusal.js';
import { text } from '../texts/text.js';
import { mergeRows } from './merge-changes.js';
import classes from './merge.module.css';
import { MergeRowInput } from './merge-row-input.js';
import { useMergeChoice } from './use-merge-choice.js';
import { useSaving } from './use-saving.js';

interface MergeProps {
  readonly features: Features;
  readonly fields: readonly SupportedField[];
  /** The Client as it was when the form was opened, as it is now, and as the form would have it. */
  readonly before: ClientDocument;
  readonly theirs: TaggedClient;
  readonly mine: Readonly<Record<string, unknown>>;
  /** What was shown here as theirs, until it turned out to have been changed once more. */
  readonly shown: TaggedClient | undefined;
  readonly onRefused: (error: Error, refuse: (error: Error) => void) => void;
  readonly onBack: () => void;
}

/** Two people changed one Client: field by field, whose change is kept, judged as the choice changes. */
export function Merge({ features, fields, before, theirs, mine, shown, onRefused, onBack }: MergeProps) {
  const bodyOf = (client: ClientDocument) => toBody(fields, members(client), members(client));
  const now = bodyOf(theirs.client);
  const rows = mergeRows({
    names: fields.map(({ name }) => name),
    before: bodyOf(before),
    theirs: now,
    mine,
    shown: shown && bodyOf(shown.client),
  });
  const choice = useMergeChoice(features, theirs.client, now, rows);
  const saving = useSaving(theirs.client.client_id, (error) => onRefused(error, choice.refuse));
  const save = () => {
    if (choice.mayBeSaved()) saving.mutate({ body: choice.body, etag: theirs.etag });
  };
  const top = useTopOf(theirs);
  // Why it stands still is said above.
  const lacks = useLacks('clients:write');
  const elsewhere = choice.problems.filter(({ field }) => !rows.some(({ name }) => name === fieldOf(field)));
  return (
    <Stack gap="lg" ref={top} tabIndex={-1} className={classes.merge}>
      <Notice kind="warn" role="alert" title={text(shown ? 'merge.again' : 'merge.title')}>
        <p>{text(shown ? 'merge.again.lead' : 'merge.lead')}</p>
      </Notice>
      <div className={classes.rows}>
        {rows.map((row) => (
          <MergeRowInput
            key={row.name}
            row={row}
            label={fields.find(({ name }) => name === row.name)?.label ?? row.name}
            side={choice.sideOf(row)}
            problems={choice.problems.filter(({ field }) => fieldOf(field) === row.name)}
            onChoose={(side) => choice.choose(row, side)}
          />
        ))}
      </div>
      <Problems problems={elsewhere} />
      <Warnings warnings={choice.warnings} />
      <FootBar failure={choice.failure} onRetry={save}>
        <Button loading={saving.isPending} disabled={lacks} onClick={save}>
          {text('merge.save')}
        </Button>
        <Button variant="subtle" color="gray" disabled={saving.isPending} onClick={onBack}>
          {text('merge.back')}
        </Button>
      </FootBar>
    </Stack>
  );
}

/** What is wrong with fields that there is nothing to choose of. */
function Problems({ problems }: { readonly problems: readonly FieldProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <Notice kind="bad" role="alert" title={text('form.problems', { count: problems.length })}>
      <ul>
        {problems.map(({ field, message }) => (
          <li key={`${field} ${message}`}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Leads to the top, where it is said what happened, whenever their state is another one. */
function useTopOf(theirs: TaggedClient) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [theirs]);
  return top;
}

function members(client: ClientDocument): Record<string, unknown> {
  return client as unknown as Record<string, unknown>;
}
