import { Panel } from '../elements/panel.js';
import { text } from '../texts/text.js';
import { barsOfAges } from './age-groups.js';
import { Bars } from './bars.js';
import classes from './overview.module.css';
import type { Stats } from './stats.js';

/** When secrets were used last: those that nobody uses may as well not be there. */
export function SecretUse({ secrets }: Pick<Stats, 'secrets'>) {
  const bars = [
    ...barsOfAges(secrets.last_use),
    { id: 'never', label: text('overview.use.never'), count: secrets.never_used },
  ];
  return (
    <Panel title={text('overview.use')}>
      <div className={classes.content}>
        <Bars label={text('overview.use')} bars={bars} />
      </div>
    </Panel>
  );
}
