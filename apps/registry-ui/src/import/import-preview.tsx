import { Button, Loader, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { Failure, type FailureProps } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/import.js';
import { LineViolations } from './line-violations.js';
import {
  type ChosenFile,
  type ImportAnswer,
  type ImportChoices,
  isStalePlan,
  useImportPlan,
} from './import-clients.js';
import { ImportSummary } from './import-summary.js';
import { MissedSecrets } from './missed-secrets.js';
import classes from './import.module.css';

interface ImportPreviewProps {
  readonly chosen: ChosenFile;
  readonly choices: ImportChoices;
  readonly importing: boolean;
  /** Why the import itself failed. */
  readonly failure: Error | null;
  /** Clients that attempts without a response may have registered. */
  readonly awaited: readonly string[];
  readonly onImport: (plan: ImportAnswer) => void;
}

/** The changes that the file would make, or the violations in its lines. */
export function ImportPreview({
  chosen,
  choices,
  importing,
  failure,
  awaited,
  onImport,
}: ImportPreviewProps) {
  const { data: plan, dataUpdatedAt, error, isFetching, refetch } = useImportPlan(chosen, choices);
  if (error) return <ImportFailure chosen={chosen} error={error} onRetry={() => void refetch()} />;
  if (!plan || isFetching) return <Progress>{text('import.checking')}</Progress>;
  const begin = () => onImport(plan);
  return (
    <ImportSummary title={text('import.plan')} answer={plan} places={chosen.places}>
      <MissedSecrets awaited={awaited} answer={plan} />
      {failure && (
        <ImportFailure
          chosen={chosen}
          error={failure}
          // A new plan has to be confirmed anew.
          {...(!isStalePlan(failure) && { onRetry: begin })}
          takesFocus
        />
      )}
      {importing ? (
        <Progress>{text('import.running')}</Progress>
      ) : (
        <ImportConfirmation key={dataUpdatedAt} plan={plan} onImport={begin} />
      )}
    </ImportSummary>
  );
}

/** Violations are listed by line; other failures, such as a concurrent import, are shown as they are. */
function ImportFailure({ chosen, ...props }: FailureProps & { readonly chosen: ChosenFile }) {
  const { error } = props;
  const violations = error instanceof ApiError ? error.errors : [];
  return violations.length > 0 ? (
    <LineViolations violations={violations} chosen={chosen} />
  ) : (
    <Failure {...props} />
  );
}

function Progress({ children }: { readonly children: string }) {
  return (
    <p className={classes.underWay} role="status">
      <Loader size={16} aria-hidden />
      {children}
    </p>
  );
}

interface ImportConfirmationProps {
  readonly plan: ImportAnswer;
  readonly onImport: () => void;
}

/** The import button; if clients would be deleted, the user types their number first. */
function ImportConfirmation({ plan, onImport }: ImportConfirmationProps) {
  const [typed, setTyped] = useState('');
  const { clients, deleted } = plan;
  if (clients.length === 0) return <Notice kind="good" title={text('import.nothing')} />;
  const confirmed = deleted === 0 || typed.trim() === String(deleted);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (confirmed) onImport();
  };
  return (
    <form onSubmit={submit} className={classes.confirmation}>
      {deleted > 0 && (
        <TextInput
          label={text('import.deletes', { count: deleted })}
          description={text('import.deletes.what')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      <Button type="submit" color={deleted > 0 ? 'red' : 'iris'} disabled={!confirmed}>
        {text('import.do', { count: clients.length })}
      </Button>
    </form>
  );
}
