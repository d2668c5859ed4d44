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
import { ImportChoicesInput } from './import-choices.js';
import { type ChosenFile, NO_CHOICES, rejectFile, useImport } from './import-clients.js';
import { ImportResult } from './import-result.js';
import { ImportPreview } from './import-preview.js';

/** Imports clients from a file, with a preview of the changes. */
export function ImportScreen() {
  const [chosen, setChosen] = useState<ChosenFile>();
  const [choices, setChoices] = useState(NO_CHOICES);
  const run = useImport();
  const lacks = useLacksScope('clients:write');
  const refusal = chosen && rejectFile(chosen.file);
  const begin = () => {
    run.reset();
    setChosen(undefined);
    setChoices(NO_CHOICES);
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
      <FileChoice file={chosen?.file} refusal={refusal} disabled={run.isPending || lacks} onChoose={choose} />
      <ImportChoicesInput
        choices={choices}
        disabled={run.isPending || lacks}
        onChange={(next) => {
          run.reset();
          setChoices(next);
        }}
      />
      {chosen && refusal === undefined && (
        <ImportPreview
          key={`${chosen.choice} ${JSON.stringify(choices)}`}
          chosen={chosen}
          choices={choices}
          importing={run.isPending}
          failure={run.error}
          onImport={() => run.mutate({ file: chosen.file, choices })}
        />
      )}
      <LeaveGuard guards={run.isPending} title="import.leave.title" what="import.leave.running" />
    </Screen>
  );
}
