import { useState } from 'react';
import { useLacksScope } from '../api/own-token.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { leaveScreen } from '../elements/leave-screen.js';
import { ScopeNotice } from '../elements/scopes.js';
import { Screen } from '../elements/screen.js';
import { BackToClients } from '../navigation/back-links.js';
import { useReopened } from '../navigation/use-reopened.js';
import { text } from '../texts/text.js';
import { FileChoice } from './file-choice.js';
import { type ChosenFile, rejectFile, useImport } from './import-clients.js';
import { ImportResult } from './import-result.js';
import { ImportPreview } from './import-preview.js';

/** Imports clients from a file, with a preview of the changes. */
export function ImportScreen() {
  const [chosen, setChosen] = useState<ChosenFile>();
  const [prune, setPrune] = useState(false);
  const run = useImport();
  const lacks = useLacksScope('clients:write');
  const refusal = chosen && rejectFile(chosen.file);
  const begin = () => {
    run.reset();
    setChosen(undefined);
    setPrune(false);
  };
  useReopened(begin);
  if (run.data) return <ImportResult answer={run.data} onAnother={() => leaveScreen(begin)} />;
  const choose = (file: File) => {
    run.reset();
    setChosen({ file, choice: (chosen?.choice ?? 0) + 1 });
  };
  return (
    <Screen title={text('import.title')} lead={text('import.lead')} above={<BackToClients />}>
      <ScopeNotice scope="clients:write" />
      <FileChoice
        file={chosen?.file}
        refusal={refusal}
        prune={prune}
        disabled={run.isPending || lacks}
        onChoose={choose}
        onPrune={(next) => {
          run.reset();
          setPrune(next);
        }}
      />
      {chosen && refusal === undefined && (
        <ImportPreview
          key={`${chosen.choice} ${prune}`}
          chosen={chosen}
          prune={prune}
          importing={run.isPending}
          failure={run.error}
          onImport={() => run.mutate({ file: chosen.file, prune })}
        />
      )}
      <LeaveGuard guards={run.isPending} title="import.leave.title" what="import.leave.running" />
    </Screen>
  );
}
