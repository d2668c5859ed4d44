import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Violation } from '../api/api-error.js';
import { WithReferences } from '../elements/external-link.js';
import { Icon } from '../elements/icon.js';
import { Differences } from '../history/differences.js';
import { text } from '../texts/form.js';
import classes from './form.module.css';

type Members = Readonly<Record<string, unknown>>;

interface FieldWarningsProps {
  readonly warnings: readonly Violation[];
  /** The client's metadata. */
  readonly body: Members;
  /** The members that resolve a kind of warning. */
  readonly fixOf: (code: string) => Members | undefined;
  readonly onFix: (fix: Members) => void;
  readonly pending?: boolean;
}

/** A field's warnings by kind, each with its fix, which is shown before it is applied. */
export function FieldWarnings({ warnings, body, fixOf, onFix, pending = false }: FieldWarningsProps) {
  const kinds = [...new Set(warnings.map(({ code }) => code))];
  return kinds.map((kind) => {
    const fix = fixOf(kind);
    return (
      <div key={kind} className={classes.warning} role="note">
        <Icon name="warning" label={text('warning.kind')} />
        <div>
          <Messages of={warnings.filter(({ code }) => code === kind)} />
          {fix && <Fix fix={fix} body={body} pending={pending} onFix={() => onFix(fix)} />}
        </div>
      </div>
    );
  });
}

/** The first warning of a kind; the others fold away. */
function Messages({ of: [first, ...others] }: { readonly of: readonly Violation[] }): ReactNode {
  if (!first) return null;
  return (
    <>
      <p>
        <WithReferences>{first.message}</WithReferences>
      </p>
      {others.length > 0 && (
        <details>
          <summary>{text('warnings.alike', { count: others.length })}</summary>
          <ul>
            {others.map(({ field, message }) => (
              <li key={field}>{message}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

interface FixProps {
  readonly fix: Members;
  readonly body: Members;
  readonly pending: boolean;
  readonly onFix: () => void;
}

function Fix({ fix, body, pending, onFix }: FixProps) {
  const [opened, setOpened] = useState(false);
  if (!opened) {
    return (
      <Button size="compact-xs" variant="default" mt="xs" onClick={() => setOpened(true)}>
        {text('fix.show')}
      </Button>
    );
  }
  const changed = Object.entries(fix).map(([field, after]) => ({ field, before: body[field], after }));
  return (
    <div className={classes.fix}>
      <Differences changed={changed} />
      <p>{text('fix.check')}</p>
      <Group gap="sm">
        <Button size="xs" variant="default" loading={pending} onClick={onFix} data-autofocus>
          {text('fix.apply')}
        </Button>
        <Button size="xs" variant="subtle" color="gray" disabled={pending} onClick={() => setOpened(false)}>
          {text('action.cancel')}
        </Button>
      </Group>
    </div>
  );
}
