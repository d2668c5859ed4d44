import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { NoneRegistered } from '../navigation/none-registered.js';
import { RegisterButton } from '../navigation/register-button.js';
import { Failure } from '../elements/failure.js';
import { Screen } from '../elements/screen.js';
import { text } from '../texts/text.js';
import { AgePanel } from './age-panel.js';
import { Attention } from './attention.js';
import { LatestChanges } from './latest-changes.js';
import classes from './overview.module.css';
import { SecretUse } from './secret-use.js';
import { NO_STATS, statsQuery } from './stats.js';
import { Tiles } from './tiles.js';

/** How the registry stands: numbers, what needs attention, what changed lately. */
export function OverviewScreen() {
  const { data: stats, error, refetch } = useQuery(statsQuery);
  return (
    <Screen title={text('overview.title')} actions={<RegisterButton />}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {stats?.clients === 0 && <NoneRegistered />}
      {!error && stats?.clients !== 0 && (
        // What has not come yet takes the same room: nothing moves when it does.
        <Skeleton visible={!stats} inert={!stats}>
          <Tiles stats={stats ?? NO_STATS} />
        </Skeleton>
      )}
      <div className={classes.panels}>
        <div className={classes.column}>
          {!stats && !error && <Skeleton height={372} radius="lg" />}
          {stats && stats.clients > 0 && (
            <>
              <Attention stats={stats} />
              <AgePanel age={stats.age} />
              <SecretUse secrets={stats.secrets} />
            </>
          )}
        </div>
        <LatestChanges />
      </div>
    </Screen>
  );
}
