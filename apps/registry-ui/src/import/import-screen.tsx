import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { featuresQuery } from '../api/client-queries.js';
import { useLacksScope } from '../api/own-token.js';
import { Failure } from '../elements/failure.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { leaveScreen } from '../elements/leave-screen.js';
import { Notice } from '../elements/notice.js';
import { ScopeNotice } from '../elements/scopes.js';
import { Screen } from '../elements/screen.js';
import { BackToClients } from '../navigation/back-links.js';
import { useReopened } from '../navigation/use-reopened.js';
import { text } from '../texts/import.js';
import { ConvertedImport } from './converted-import.js';
import { FileChoice } from './file-choice.js';
import { ImportChoicesInput } from './import-choices.js';
import { type ChosenFile, type ImportChoices, NO_CHOICES, rejectFile, useImport } from './import-clients.js';
import { ImportResult } from './import-result.js';
import { ImportPreview } from './import-preview.js';
import { parseImportFile } from './parse-import-file.js';

/** Imports clients from a file, with a preview of the changes. */
export function ImportScreen() {
  const [chosen, setChosen] = useState<ChosenFile>();
  const [choices, setChoices] = useState(NO_CHOICES);
  const run = useImport();
  const lacks = useLacksScope('clients:write');
  const refusal = chosen && rejectFile(chosen.file);
  const begin = () => {
    run.forget();
    setChosen(undefined);
    setChoices(NO_CHOICES);
  };
  useReopened(begin);
  if (run.data)
    return (
      <ImportResult
        answer={run.data}
        places={run.variables?.places}
        awaited={run.awaited}
        onAnother={() => leaveScreen(begin)}
      />
    );
  const choose = (file: File) => {
    run.forget();
    setChosen({ file, choice: String(Number(chosen?.choice ?? 0) + 1) });
  };
  const disabled = run.isPending || lacks;
  const change = (next: ImportChoices) => {
    run.reset();
    setChoices(next);
  };
  return (
    <Screen title={text('import.title')} lead={text('import.lead')} above={<BackToClients />}>
      <ScopeNotice scope="clients:write" />
      <FileChoice file={chosen?.file} refusal={refusal} disabled={disabled} onChoose={choose} />
      {chosen && refusal === undefined && (
        <FileContent key={chosen.choice} chosen={chosen} disabled={disabled}>
          {(source) => (
            <Plan source={source} choices={choices} run={run} disabled={disabled} onChange={change} />
          )}
        </FileContent>
      )}
      <LeaveGuard
        guards={run.isPending}
        title={text('import.leave.title')}
        what={text('import.leave.running')}
      />
    </Screen>
  );
}

interface PlanProps {
  readonly source: ChosenFile;
  readonly choices: ImportChoices;
  readonly run: ReturnType<typeof useImport>;
  readonly disabled: boolean;
  readonly onChange: (choices: ImportChoices) => void;
}

/** How to import a file, and what that would change. */
function Plan({ source, choices, run, disabled, onChange }: PlanProps) {
  const canPrune = source.isPartial !== true;
  const made = { ...choices, prune: choices.prune && canPrune };
  return (
    <>
      <ImportChoicesInput choices={choices} disabled={disabled} canPrune={canPrune} onChange={onChange} />
      <ImportPreview
        key={`${source.choice} ${JSON.stringify(made)}`}
        chosen={source}
        choices={made}
        importing={run.isPending}
        failure={run.variables?.file === source.file ? run.error : null}
        awaited={run.awaited}
        onImport={(plan) => run.mutate({ ...source, choices: made, plan })}
      />
    </>
  );
}

interface FileContentProps {
  readonly chosen: ChosenFile;
  readonly disabled: boolean;
  /** Renders the next step for a file in a format that the registry accepts. */
  readonly children: (source: ChosenFile) => ReactNode;
}

/** The preview of a file, once its format is known. */
function FileContent({ chosen, disabled, children }: FileContentProps) {
  const { data: features, error: failure, refetch } = useQuery(featuresQuery);
  const { data: parsed, error } = useQuery({
    queryKey: ['import-file', chosen.choice],
    queryFn: async () => parseImportFile(chosen.file),
    staleTime: Infinity,
    retry: false,
    gcTime: 0,
  });
  if (error) return <Notice kind="bad" role="alert" title={error.message} />;
  if (!parsed) return null;
  if (parsed.kind === 'ndjson') return children(chosen);
  if (!features) return failure && <Failure error={failure} onRetry={() => void refetch()} />;
  return (
    <ConvertedImport parsed={parsed} features={features} disabled={disabled}>
      {({ file, places, isPartial }, version) =>
        children({ file, places, isPartial, choice: `${chosen.choice} ${version}` })
      }
    </ConvertedImport>
  );
}
