import { Loader } from '@mantine/core';
import { ApiError } from '../api/api-error.js';
import { Failure, type FailureProps } from '../elements/failure.js';
import { text } from '../texts/text.js';
import { Faults } from './faults.js';
import { ImportConfirmation } from './import-confirmation.js';
import { ImportSummary } from './import-summary.js';
import classes from './import.module.css';
import { type ChosenFile, useImportPlan } from './use-import.js';

interface PlannedImportProps {
  readonly chosen: ChosenFile;
  readonly prune: boolean;
  readonly importing: boolean;
  /** Why the import itself failed. */
  readonly failure: Error | null;
  readonly onImport: () => void;
}

/** What the file comes to: the changes it would make, or what is wrong with its lines. */
export function PlannedImport({ chosen, prune, importing, failure, onImport }: PlannedImportProps) {
  const { data: plan, error, refetch } = useImportPlan(chosen, prune);
  if (error) return <Refused error={error} onRetry={() => void refetch()} />;
  if (!plan) return <UnderWay>{text('import.checking')}</UnderWay>;
  return (
    <ImportSummary title={text('import.plan')} answer={plan}>
      {failure && <Refused error={failure} onRetry={onImport} takesFocus />}
      {importing ? (
        <UnderWay>{text('import.running')}</UnderWay>
      ) : (
        <ImportConfirmation plan={plan} onImport={onImport} />
      )}
    </ImportSummary>
  );
}

/** Lines at fault are told line by line; anything else, such as another import under way, as what it is. */
function Refused(props: FailureProps) {
  const { error } = props;
  const faults = error instanceof ApiError ? error.errors : [];
  return faults.length > 0 ? <Faults faults={faults} /> : <Failure {...props} />;
}

function UnderWay({ children }: { readonly children: string }) {
  return (
    <p className={classes.underWay} role="status">
      <Loader size={16} aria-hidden />
      {children}
    </p>
  );
}
