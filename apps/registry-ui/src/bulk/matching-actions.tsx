import { Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon, type IconName } from '../elements/icon.js';
import { loadCode } from '../elements/load-code.js';
import { ScopedButton } from '../elements/scopes.js';
import type { NewJob } from '../jobs/jobs.js';
import { text } from '../texts/bulk.js';
import classes from './bulk-bar.module.css';
import { EditMany } from './lazy-edit-many.js';
import { SelectionSize } from './selection-size.js';

/** Loaded on demand: most users never change all clients of a list. */
const JobDialog = lazy(async () =>
  loadCode(async () => ({ default: (await import('../jobs/job-dialog.js')).JobDialog })),
);

/** The clients of a list, loaded or not. */
export interface Matching {
  readonly filter: NonNullable<NewJob['filter']>;
  readonly total: number;
  /** False: there are more than `total`. */
  readonly isExact: boolean;
}

interface MatchingActionsProps {
  readonly matching: Matching;
  readonly onClear: () => void;
}

const ACTIONS = [
  ['enable', 'check'],
  ['disable', 'pause'],
  ['edit', 'pencil'],
  ['delete', 'trash'],
] as const satisfies readonly (readonly [string, IconName])[];

type Action = (typeof ACTIONS)[number][0];

/** Actions on all clients that match, carried out by the server. */
export function MatchingActions({ matching: { filter, total, isExact }, onClear }: MatchingActionsProps) {
  const [action, setAction] = useState<Action>();
  const [opened, setOpened] = useState(false);
  const dialog = { opened, onClose: () => setOpened(false) };
  return (
    <section className={classes.bar} aria-label={text('bulk.name')}>
      <SelectionSize onClear={onClear}>
        {text(isExact ? 'bulk.allSelected' : 'bulk.allSelected.atLeast', { count: total })}
      </SelectionSize>
      <Group gap="xs">
        {ACTIONS.map(([each, icon]) => (
          <ScopedButton
            key={each}
            scope="clients:write"
            size="xs"
            variant="default"
            leftSection={<Icon name={icon} size={14} />}
            onClick={() => {
              setAction(each);
              setOpened(true);
            }}
          >
            {text(`client.${each}`)}
          </ScopedButton>
        ))}
      </Group>
      {action && (
        <Suspense fallback={null}>
          {action === 'edit' ? (
            <EditMany target={{ filter }} {...dialog} />
          ) : (
            <JobDialog job={{ action, filter }} {...dialog} />
          )}
        </Suspense>
      )}
    </section>
  );
}
