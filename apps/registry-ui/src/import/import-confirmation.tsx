import { Button, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Notice } from '../elements/notice.js';
import { text } from '../texts/text.js';
import type { ImportAnswer } from './import-clients.js';
import classes from './import.module.css';

interface ImportConfirmationProps {
  readonly plan: ImportAnswer;
  readonly onImport: () => void;
}

/** The button that does it; where Clients would be deleted, their number is asked for first. */
export function ImportConfirmation({ plan, onImport }: ImportConfirmationProps) {
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
