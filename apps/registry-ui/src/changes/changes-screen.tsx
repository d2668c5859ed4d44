import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../api/session.js';
import { EmptyState } from '../elements/empty-state.js';
import { Failure } from '../elements/failure.js';
import { Icon } from '../elements/icon.js';
import { Screen } from '../elements/screen.js';
import { StatusBadge, type StatusKind } from '../elements/status-badge.js';
import { RegisterButton } from '../navigation/registration-links.js';
import { text } from '../texts/changes.js';
import { CHANGE_KINDS, lookOf } from './change-kinds.js';
import { ChangeList } from './change-list.js';
import classes from './changes.module.css';
import { type FeedState, followChanges } from './follow-changes.js';
import { type FeedChange, recentChangesQuery } from './recent-changes.js';

const STATES: Readonly<Record<Feed['state'], StatusKind>> = {
  connecting: 'calm',
  live: 'good',
  broken: 'warn',
  paused: 'calm',
};

/** A live feed of changes to all clients. */
export function ChangesScreen() {
  const [paused, setPaused] = useState(false);
  const [kind, setKind] = useState('');
  const { changes, state, error, onRetry } = useFeed(paused);
  const failed = !changes && error;
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
          {!failed && (
            <StatusBadge kind={STATES[state]} icon={state === 'live' ? 'pulse' : 'clock'}>
              {text(`changes.${state}`)}
            </StatusBadge>
          )}
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
      {failed && <Failure error={failed} onRetry={onRetry} />}
      {!changes && !error && <Skeleton height={320} radius="lg" />}
      {shown?.length === 0 && <NoChanges ofKind={kind !== ''} onShowAll={() => setKind('')} />}
      {shown && shown.length > 0 && <ChangeList changes={shown} />}
    </Screen>
  );
}

interface NoChangesProps {
  /** Only one kind is shown. */
  readonly ofKind: boolean;
  readonly onShowAll: () => void;
}

function NoChanges({ ofKind, onShowAll }: NoChangesProps) {
  return (
    <EmptyState
      icon="pulse"
      title={text(ofKind ? 'changes.none.kind' : 'changes.none')}
      action={
        ofKind ? (
          <Button variant="default" onClick={onShowAll}>
            {text('changes.kind.all')}
          </Button>
        ) : (
          <RegisterButton variant="default" />
        )
      }
    >
      {text('changes.none.how')}
    </EmptyState>
  );
}

/** Earlier changes shown at first. */
const INITIAL_CHANGES = 50;

const MAX_KEPT = 500;

interface Feed {
  /** Latest first; `undefined` while loading. */
  readonly changes: readonly FeedChange[] | undefined;
  readonly state: FeedState | 'paused';
  readonly error: Error | null;
  /** Reads the earlier changes again. */
  readonly onRetry: () => void;
}

/** Follows changes to all clients while the screen is open and not paused. */
function useFeed(paused: boolean): Feed {
  const { data, error, refetch } = useQuery({
    ...recentChangesQuery(INITIAL_CHANGES),
    refetchOnWindowFocus: false,
  });
  const [fresh, setFresh] = useState<readonly FeedChange[]>([]);
  const [state, setState] = useState<FeedState>('connecting');
  const queries = useQueryClient();
  // Without earlier changes, the stream ends; once they have been read again, it starts from there.
  const startAnew = () => {
    setFresh([]);
    void queries.resetQueries(recentChangesQuery(INITIAL_CHANGES));
  };
  // The new token may not show every change that the former one did.
  useSignedInAgain(startAnew);
  const since = fresh[0]?.cursor ?? data?.last;
  const ready = since !== undefined && !paused;
  useEffect(() => {
    if (!ready) return undefined;
    const ending = new AbortController();
    const onChange = (change: FeedChange) => setFresh((former) => [change, ...former].slice(0, MAX_KEPT));
    void followChanges(since, { onChange, onState: setState, onGone: startAnew }, ending.signal);
    return () => ending.abort();
    // The starting point matters only when the stream opens; from then on it tracks its own position.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [ready]);
  const before = data?.changes.filter(({ seq }) => seq < (fresh.at(-1)?.seq ?? Infinity));
  return {
    changes: before && [...fresh, ...before],
    state: paused ? 'paused' : state,
    error,
    onRetry: () => void refetch(),
  };
}

/** Calls back when the user has signed in again after the session ended. */
function useSignedInAgain(onSignedIn: () => void): void {
  const ended = useSession()?.ended;
  const hadEnded = useRef(false);
  useEffect(() => {
    if (hadEnded.current && ended === false) onSignedIn();
    hadEnded.current = ended === true;
    // Only the session matters.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [ended]);
}
