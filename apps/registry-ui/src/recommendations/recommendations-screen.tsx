import { Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { EmptyState } from '../elements/empty-state.js';
import { Failure } from '../elements/failure.js';
import { Notice } from '../elements/notice.js';
import { ScopedButton } from '../elements/scopes.js';
import { focusTitle, Screen } from '../elements/screen.js';
import { statsQuery } from '../overview/stats.js';
import { text } from '../texts/recommendations.js';
import { ApplyDialog } from './apply-dialog.js';
import { keyOf, toChanges } from './operations.js';
import { RecommendationTable } from './recommendation-table.js';
import { recommendationsQuery, useApply } from './use-apply.js';
import { WarningList } from './warning-list.js';

/** As many as a user can review. */
const MAX_CHOSEN = 500;

/** What to improve, according to the rules and to recorded use. */
export function RecommendationsScreen() {
  const { isPending } = useQuery(statsQuery);
  return (
    <Screen title={text('recommendations.title')} lead={text('recommendations.lead')}>
      {isPending ? (
        // Warnings come first, and would push the rest down when they arrive.
        <Skeleton height={480} radius="lg" />
      ) : (
        <Stack gap="md">
          <WarningList />
          <Title order={2}>{text('recommendations.proven')}</Title>
          <ProvenByUse />
        </Stack>
      )}
    </Screen>
  );
}

/** Recommendations that recorded use supports. */
function ProvenByUse() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(recommendationsQuery);
  const { chosen, toggle, clear } = useChosen();
  const pages = data?.pages ?? [];
  const found = pages.flatMap(({ recommendations }) => recommendations);
  const unproven = pages.reduce((sum, page) => sum + page.unproven, 0);
  return (
    <Stack gap="md">
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} radius="lg" />}
      {unproven > 0 && found.length > 0 && (
        <Notice kind="warn" title={text('recommendations.unproven', { count: unproven })}>
          <p>{text('recommendations.unproven.how')}</p>
        </Notice>
      )}
      {data && found.length === 0 && !hasNextPage && <NoneFound unproven={unproven} />}
      {found.length > 0 && (
        <>
          <Apply chosen={found.filter((each) => chosen.has(keyOf(each)))} onDone={clear} />
          <RecommendationTable recommendations={found} chosen={chosen} onToggle={toggle} />
        </>
      )}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {text('recommendations.more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** @param unproven how many clients lack the usage on which a recommendation would rest */
function NoneFound({ unproven }: { readonly unproven: number }) {
  return unproven > 0 ? (
    <EmptyState icon="clock" title={text('recommendations.none.yet')}>
      {text('recommendations.none.yet.how', { count: unproven })}
    </EmptyState>
  ) : (
    <EmptyState icon="check" title={text('recommendations.none')}>
      {text('recommendations.none.how')}
    </EmptyState>
  );
}

function useChosen() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => {
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(key) && next.size < MAX_CHOSEN) next.add(key);
      return next;
    });
  }, []);
  const clear = useCallback(() => setChosen(new Set()), []);
  return { chosen, toggle, clear };
}

interface ApplyProps {
  readonly chosen: Parameters<typeof toChanges>[0];
  readonly onDone: () => void;
}

function Apply({ chosen, onDone }: ApplyProps) {
  const [opened, setOpened] = useState(false);
  const apply = useApply(() => {
    setOpened(false);
    onDone();
    focusTitle();
  });
  const changes = toChanges(chosen);
  return (
    <Group>
      <ScopedButton scope="clients:write" disabled={changes.length === 0} onClick={() => setOpened(true)}>
        {chosen.length === 0
          ? text('recommendations.preview.none')
          : text('recommendations.preview', { count: chosen.length })}
      </ScopedButton>
      <ApplyDialog
        changes={changes}
        opened={opened}
        pending={apply.isPending}
        error={apply.error}
        onApply={() => apply.mutate(changes)}
        onClose={() => {
          setOpened(false);
          apply.reset();
        }}
      />
    </Group>
  );
}
