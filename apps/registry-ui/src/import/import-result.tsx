import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../elements/icon.js';
import { LeaveGuard } from '../elements/leave-guard.js';
import { Notice } from '../elements/notice.js';
import { saveFile } from '../elements/save-file.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/import.js';
import type { ImportAnswer, ImportedClient } from './import-clients.js';
import { ImportSummary } from './import-summary.js';
import { MissedSecrets } from './missed-secrets.js';

interface ImportResultProps {
  readonly answer: ImportAnswer;
  /** Where each line comes from, if the file was converted. */
  readonly places: readonly string[] | undefined;
  /** Clients that attempts without a response may have registered. */
  readonly awaited: readonly string[];
  readonly onAnother: () => void;
}

/** The result of an import, and the new secrets, which are shown only once. */
export function ImportResult({ answer, places, awaited, onAnother }: ImportResultProps) {
  const { lines, count } = secretLines(answer.clients);
  const [saved, setSaved] = useState(count === 0);
  const save = () => {
    saveFile(new Blob([lines], { type: 'application/x-ndjson' }), 'client-secrets.ndjson');
    setSaved(true);
  };
  return (
    <Screen title={text('import.done', { count: answer.clients.length })}>
      <MissedSecrets awaited={awaited} answer={answer} />
      {count > 0 && (
        <Notice kind="warn" title={text('import.secrets', { count })}>
          <p>{text('import.secrets.once')}</p>
        </Notice>
      )}
      <Group gap="sm">
        {count > 0 && (
          <Button
            variant={saved ? 'default' : 'filled'}
            leftSection={<Icon name={saved ? 'check' : 'download'} />}
            onClick={save}
          >
            {text(saved ? 'import.secrets.again' : 'import.secrets.save')}
          </Button>
        )}
        <Button
          variant={saved ? 'filled' : 'default'}
          renderRoot={(props) => <Link to="/clients" {...props} />}
        >
          {text('import.open')}
        </Button>
        <Button variant="default" onClick={onAnother}>
          {text('import.another')}
        </Button>
      </Group>
      <ImportSummary title={text('import.outcome')} answer={answer} places={places} />
      <LeaveGuard
        guards={!saved}
        title={text('import.leave.secrets.title')}
        what={text('import.leave.secrets')}
      />
    </Screen>
  );
}

/** New secrets as NDJSON, which no program interprets as formulas; ids may contain any printable character. */
function secretLines(clients: readonly ImportedClient[]): {
  readonly lines: string;
  readonly count: number;
} {
  const made = clients.flatMap(({ client_id, client_secret }) =>
    client_secret === undefined ? [] : [JSON.stringify({ client_id, client_secret })],
  );
  return { lines: made.map((line) => `${line}\n`).join(''), count: made.length };
}
