import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChangeList } from '../changes/change-list.js';
import { recentChangesQuery } from '../changes/recent-changes.js';
import { Failure } from '../elements/failure.js';
import { text } from '../texts/text.js';
import classes from './overview.module.css';

const SHOWN = 8;

/** What happened last, and the way to all of it. */
export function LatestChanges() {
  const { data, error, refetch } = useQuery(recentChangesQuery(SHOWN));
  return (
    <Stack gap="sm">
      <div className={classes.latest}>
        <h2>{text('overview.latest')}</h2>
        <Link to="/changes">{text('overview.latest.all')}</Link>
      </div>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={240} radius="lg" />}
      {data?.changes.length === 0 && <p className="hint">{text('changes.none.how')}</p>}
      {data && data.changes.length > 0 && <ChangeList changes={data.changes.slice(0, SHOWN)} />}
    </Stack>
  );
}
