import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { Empty } from '../elements/empty.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { Screen } from '../elements/screen.js';
import { Verdict, type VerdictKind } from '../elements/verdict.js';
import { text } from '../texts/text.js';
import { CHANGE_KINDS, lookOf } from './change-kinds.js';
import { ChangeList } from './change-list.js';
import classes from './changes.module.css';
import { type Feed, useFeed } from './use-feed.js';

const STATES: Readonly<Record<Feed['state'], VerdictKind>> = {
  connecting: 'calm',
  live: 'good',
  broken: 'warn',
  paused: 'calm',
};

/** What happens to all Clients, as it happens. */
export function ChangesScreen() {
  const [paused, setPaused] = useState(false);
  const [kind, setKind] = useState('');
  const { changes, state, error } = useFeed(paused);
  const shown = changes?.filter((change) => kind === '' || change.kind === kind);
  return (
    <Screen
      title={text('changes.title')}
      lead={text('changes.lead')}
      actions={
        <Button
          variant="default"
          leftSection={<Icon name={paused ? 'pulse' : 'pause'} />}
          onClick={() => setPaused(!paused)}
        >
          {text(paused ? 'changes.resume' : 'changes.pause')}
        </Button>
      }
    >
      <div className={classes.bar}>
        <span role="status">
          <Verdict kind={STATES[state]} icon={state === 'live' ? 'pulse' : 'clock'}>
            {text(`changes.${state}`)}
          </Verdict>
        </span>
        <NativeSelect
          aria-label={text('changes.kind')}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
          data={[
            { value: '', label: text('changes.kind.all') },
            ...CHANGE_KINDS.map((value) => ({ value, label: lookOf(value).label })),
          ]}
        />
      </div>
      {error && !changes && <Failure error={error} />}
      {!changes && !error && <Skeleton height={320} radius="lg" />}
      {shown?.length === 0 && (
        <Empty icon="pulse" title={text('changes.none')}>
          {text('changes.none.how')}
        </Empty>
      )}
      {shown && shown.length > 0 && <ChangeList changes={shown} />}
    </Screen>
  );
}
