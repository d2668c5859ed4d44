import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChangeList } from '../changes/change-list.js';
import { recentChangesQuery } from '../changes/recent-changes.js';
import { Failure } from '../elements/failure.js';
import { Panel } from '../elements/panel.js';
import { text } from '../texts/text.js';
import classes from './overview.module.css';

const SHOWN = 8;

/** What happened last, and the way to all of it. */
export function LatestChanges() {
  const { data, error, refetch } = useQuery(recentChangesQuery(SHOWN));
  const changes = data?.changes.slice(0, SHOWN);
  return (
    <Panel title={text('overview.latest')} actions={<Link to="/changes">{text('overview.latest.all')}</Link>}>
      {changes !== undefined && changes.length > 0 ? (
        <div className={classes.latest}>
          <ChangeList changes={changes} />
        </div>
      ) : (
        <div className={classes.content}>
          {error && <Failure error={error} onRetry={() => void refetch()} />}
          {!changes && !error && <Skeleton height={240} />}
          {changes && <p className="hint">{text('changes.none.how')}</p>}
        </div>
      )}
    </Panel>
  );
}
